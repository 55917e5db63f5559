package import FloorPlans
package import Localisation
import Matching

extension LiveFloors {
    /// Time after a building's first model until its floors count as heard, in seconds: before, somebody who is there
    /// may not have been heard yet.
    private static let settling = LiveReceivers.settling

    /// Receivers of a model that listen.
    private struct Listening {
        var now: Set<Int>
        /// Those that have done so for long enough to have heard who is there.
        var settled: Set<Int>
    }

    /// Returns who may be in which room of each floor. Floors of which that is not known are left out: there is no
    /// model yet, or no receiver of the floor listens.
    ///
    /// - Parameters:
    ///   - kinds: kinds of subjects that count; all if empty.
    ///   - now: present time in seconds.
    package func presences(kinds: Set<String> = [], now: Double) -> [(plan: FloorPlan, presence: FloorPresence)] {
        buildings.keys.sorted().flatMap { path -> [(plan: FloorPlan, presence: FloorPresence)] in
            guard let building = buildings[path], let model = building.model else { return [] }
            let listening = listening(in: building, at: now)
            return model.plans.indices.compactMap { floor in
                guard listening.now.contains(where: { model.receivers[$0].floor == floor }) else { return nil }
                var presence = presence(on: floor, of: model, path, kinds)
                (presence.isHeard, presence.heardRooms) = heard(floor, of: building, model, listening, at: now)
                return (model.plans[floor], presence)
            }
        }
    }

    /// Returns whether all of a floor is heard now.
    package func isHeard(_ floor: String, now: Double) -> Bool {
        guard let building = buildings[floor.building], let model = building.model,
            let index = model.plans.firstIndex(where: { $0.path == floor })
        else { return false }
        return heard(index, of: building, model, listening(in: building, at: now), at: now).floor
    }

    /// Returns the receivers of a floor, and whether they have listened since a time.
    package func receivers(on floor: String, since time: Double) -> [FloorDocument.Receiver] {
        receivers.entries.filter { $0.floor == floor }.sorted { $0.path < $1.path }.map {
            .init(path: $0.path, position: $0.position, room: $0.room, isHeard: $0.isListening && $0.spokeAt >= time)
        }
    }

    /// Returns the time at which a receiver of a floor spoke last, in seconds; `nil` if none did.
    package func spokeAt(on floor: String) -> Double? {
        receivers.entries.filter { $0.floor == floor && $0.spokeAt.isFinite }.map(\.spokeAt).max()
    }

    /// Returns the level at which a receiver is expected to hear a beacon of the reference power at another one, in dBm;
    /// `nil` if there is no model of both.
    ///
    /// - Parameters:
    ///   - site: path of the receiver at which the beacon hangs.
    ///   - receiver: path of the receiver that hears it.
    package func expected(ofBeaconAt site: String, by receiver: String) -> Double? {
        guard let model = buildings[site.building]?.model, let beacon = model.receiver(site),
            let hearer = model.receiver(receiver)
        else { return nil }
        return model.expected(ofBeaconAt: beacon, by: hearer)
    }

    /// Returns the model of the building of a floor; `nil` if there is none yet.
    package func model(of floor: String) -> BuildingModel? { buildings[floor.building]?.model }

    private func presence(
        on floor: Int, of model: BuildingModel, _ building: String, _ kinds: Set<String>
    ) -> FloorPresence {
        var presence = FloorPresence()
        for tracked in subjects where tracked.building == building {
            guard kinds.isEmpty || kinds.contains(tracked.subject.kind) else { continue }
            guard let estimate = tracked.estimate, estimate.floor == floor, !tracked.rooms.isEmpty else { continue }
            presence.whole.append(estimate.floorProbability)
            for room in tracked.rooms {
                guard let number = room.room else { continue }
                presence.rooms[model.plans[floor].rooms[number].name, default: []].append(room.probability)
            }
        }
        return presence
    }

    private func listening(in building: LiveBuilding, at now: Double) -> Listening {
        func numbers(for time: Double) -> Set<Int> {
            Set(
                receivers.listening(in: building.path, at: now, for: time).compactMap {
                    building.receiver($0, in: receivers)
                })
        }
        return Listening(now: numbers(for: 0), settled: numbers(for: Self.settling))
    }

    /// Returns whether a floor and which of its rooms are heard.
    ///
    /// A room is heard if a receiver in it listens; without receivers of its own, if the nearest one of the floor does.
    /// A floor is heard if all its rooms are, or without rooms, if all its receivers listen.
    private func heard(
        _ floor: Int, of building: LiveBuilding, _ model: BuildingModel, _ listening: Listening, at now: Double
    ) -> (floor: Bool, rooms: Set<String>) {
        guard let since = building.modelSince, now - since >= Self.settling else { return (false, []) }
        let own = model.receivers.indices.filter { model.receivers[$0].floor == floor }
        let rooms = model.plans[floor].rooms
        if rooms.isEmpty { return (!own.isEmpty && own.allSatisfy(listening.settled.contains), []) }
        let heard = rooms.filter { room in
            let inside = own.filter { room.polygon.contains(model.receivers[$0].position) }
            if !inside.isEmpty { return inside.contains(where: listening.settled.contains) }
            guard let middle = room.polygon.centroid else { return false }
            func distance(_ receiver: Int) -> Double { model.receivers[receiver].position.distance(to: middle) }
            return own.min { distance($0) < distance($1) }.map(listening.settled.contains) ?? false
        }
        return (heard.count == rooms.count, Set(heard.map(\.name)))
    }
}
