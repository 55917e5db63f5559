import FloorPlans
import Localisation
import Matching

extension LiveFloors {
    /// Time after a building's first model until its floors count as heard, in seconds: before, somebody who is there
    /// may not have been heard yet.
    private static let settling = 12.0

    /// Returns who may be in which room of a floor; `nil` if that is not known, because there is no model yet or no
    /// receiver of the floor listens.
    ///
    /// - Parameters:
    ///   - kinds: kinds of subjects that count; all if empty.
    ///   - now: present time in seconds.
    package func presence(on floor: String, kinds: Set<String> = [], now: Double) -> FloorPresence? {
        guard let (model, index) = placed(floor) else { return nil }
        let listening = listening(in: model, at: now)
        guard listening.contains(where: { model.receivers[$0].floor == index }) else { return nil }
        let plan = model.plans[index]
        var presence = FloorPresence()
        for tracked in subjects where tracked.building == plan.buildingPath {
            guard kinds.isEmpty || kinds.contains(tracked.subject.kind) else { continue }
            guard let estimate = tracked.estimate, estimate.floor == index, !tracked.rooms.isEmpty else { continue }
            presence.whole.append(estimate.floorProbability)
            for room in tracked.rooms {
                guard let number = room.room else { continue }
                presence.rooms[plan.rooms[number].name, default: []].append(room.probability)
            }
        }
        guard let since = buildings[plan.buildingPath]?.modelSince, now - since >= Self.settling else {
            return presence
        }
        (presence.isHeard, presence.heardRooms) = Self.heard(index, model, listening)
        return presence
    }

    /// Returns whether all of a floor is heard now.
    package func isHeard(_ floor: String, now: Double) -> Bool { presence(on: floor, now: now)?.isHeard ?? false }

    /// Returns the receivers of a floor, and whether they have listened since a time.
    package func receivers(on floor: String, since time: Double) -> [FloorDocument.Receiver] {
        receivers.entries.filter { $0.floor == floor }.sorted { $0.path < $1.path }.map {
            .init(path: $0.path, position: $0.position, room: $0.room, isHeard: $0.isListening && $0.spokeAt >= time)
        }
    }

    /// Returns the model of a floor's building, and the number of the floor there.
    private func placed(_ floor: String) -> (model: BuildingModel, index: Int)? {
        guard let model = buildings[floor.building]?.model,
            let index = model.plans.firstIndex(where: { $0.path == floor })
        else { return nil }
        return (model, index)
    }

    /// Returns the receivers of a model that listen.
    private func listening(in model: BuildingModel, at now: Double) -> Set<Int> {
        guard let building = model.plans.first?.buildingPath else { return [] }
        return Set(
            receivers.listening(in: building, at: now).compactMap {
                buildings[building]?.receiver($0, in: receivers)
            })
    }

    /// Returns whether a floor and which of its rooms are heard.
    ///
    /// A room is heard if a receiver in it listens; without receivers of its own, if the nearest one of the floor does.
    /// A floor is heard if all its rooms are, or without rooms, if all its receivers listen.
    private static func heard(
        _ floor: Int, _ model: BuildingModel, _ listening: Set<Int>
    ) -> (floor: Bool, rooms: Set<String>) {
        let own = model.receivers.indices.filter { model.receivers[$0].floor == floor }
        let rooms = model.plans[floor].rooms
        if rooms.isEmpty { return (own.allSatisfy(listening.contains), []) }
        let heard = rooms.filter { room in
            let inside = own.filter { room.polygon.contains(model.receivers[$0].position) }
            if !inside.isEmpty { return inside.contains(where: listening.contains) }
            guard let middle = room.polygon.centroid else { return false }
            func distance(_ receiver: Int) -> Double { model.receivers[receiver].position.distance(to: middle) }
            return own.min { distance($0) < distance($1) }.map(listening.contains) ?? false
        }
        return (heard.count == rooms.count, Set(heard.map(\.name)))
    }
}
