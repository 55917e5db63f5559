package import Evidence
package import InteractionStore
package import MatcherCore
import Matching

/// Occupancy of each room and floor, derived from a store.
package struct OccupancySearch: Sendable {
    /// Configured rooms; if empty, the rooms that records name on each floor. A subject at a place of no room counts
    /// for the floor.
    package var rooms: [Room]
    /// Kinds of subjects that count as people; if empty, all kinds do.
    package var kinds: Set<String>

    package init(rooms: [Room], kinds: Set<String>) {
        self.rooms = rooms
        self.kinds = kinds
    }

    /// Seconds after which a subject that was not heard is no longer present. Gateways publish every 30 s that a
    /// subject is still present. Records by a clock that is wrong by more than this are not found, so no result
    /// mentions clocks.
    package static let window: Int64 = 90

    /// A room with its places.
    struct Space: Sendable {
        var room: Room
        var places: Set<Int64>
        var names: [PlaceName]
    }

    /// Returns the occupancy of all rooms and floors.
    ///
    /// - Parameters:
    ///   - heard: receivers that are known to work.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func documents(_ store: InteractionStore, heard: HeardReceivers, now: Int64) throws -> [OccupancyDocument] {
        let spaces = try self.spaces(store)
        let inRooms = spaces.reduce(into: Set<Int64>()) { $0.formUnion($1.places) }
        // Places of no room.
        let others = try store.places(seenSince: now - 86_400).filter { !inRooms.contains($0.key) }
        let working = others.filter { Self.isHeard($0.value, heard) }
        let whereabouts = try self.whereabouts(at: inRooms.union(working.keys), in: store, now: now)

        var spacesOfPlace: [Int64: [Int]] = [:]
        for (index, space) in spaces.enumerated() {
            for place in space.places { spacesOfPlace[place, default: []].append(index) }
        }
        var probabilities = [[Double]](repeating: [], count: spaces.count)
        var floors: [FloorName: [Double]] = [:]
        for places in whereabouts {
            var shares: [Int: Double] = [:]
            var elsewhere: [FloorName: Double] = [:]
            for (place, stay) in places {
                for index in spacesOfPlace[place] ?? [] {
                    guard let probability = stay.probability(within: spaces[index].room.radius) else { continue }
                    shares[index] = max(shares[index] ?? 0, probability)
                }
                guard let name = working[place], let probability = stay.probability(within: Room.standardRadius)
                else { continue }
                let floor = FloorName(name)
                elsewhere[floor] = max(elsewhere[floor] ?? 0, probability)
            }
            var onFloor: [FloorName: Double] = [:]
            for (floor, shares) in Dictionary(grouping: shares, by: { spaces[$0.key].floor }) {
                for (index, share) in RoomShares.normalized(Dictionary(uniqueKeysWithValues: shares)) {
                    probabilities[index].append(share)
                    if let floor { onFloor[floor, default: 0] += share }
                }
            }
            // Subjects that are in no room of the floor, as far as the rooms can tell.
            for (floor, probability) in elsewhere {
                let rest = max(0, 1 - (onFloor[floor] ?? 0))
                onFloor[floor, default: 0] += min(rest, probability)
            }
            for (floor, share) in onFloor { floors[floor, default: []].append(share) }
        }
        let rooms = zip(spaces, probabilities).map { space, probabilities in
            OccupancyDocument(
                space.room, on: space.floor, Occupancy(probabilities), isHeard: space.isHeard(heard), now: now)
        }
        var isFloorHeard: [FloorName: Bool] = [:]
        for place in others.values { isFloorHeard[FloorName(place), default: false] = false }
        for place in working.values { isFloorHeard[FloorName(place)] = true }
        // On a floor with rooms, all of them must be heard.
        for (floor, spaces) in Dictionary(grouping: spaces, by: \.floor) {
            if let floor { isFloorHeard[floor] = spaces.allSatisfy { $0.isHeard(heard) } }
        }
        let whole = isFloorHeard.map { floor, isHeard in
            OccupancyDocument(floor, Occupancy(floors[floor] ?? []), isHeard: isHeard, now: now)
        }
        return (whole + rooms).sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    /// Returns the latest stay at each place, for each subject that counts.
    private func whereabouts(
        at places: Set<Int64>, in store: InteractionStore, now: Int64
    ) throws -> [[Int64: Stay]] {
        let stays = try store.stays(at: places, from: now - Self.window, to: now)
        let fixed = try store.fixedSubjects(since: now - 86_400)
        var bySubject: [Int64: [Int64: Stay]] = [:]
        for stay in stays where !fixed.contains(stay.subject) {
            if let other = bySubject[stay.subject]?[stay.place], other.end > stay.end { continue }
            bySubject[stay.subject, default: [:]][stay.place] = stay
        }
        if !kinds.isEmpty {
            let names = try store.subjects(Set(bySubject.keys))
            bySubject = bySubject.filter { kinds.contains(names[$0.key]?.kind ?? "") }
        }
        return Array(bySubject.values)
    }

    /// Returns the rooms that are configured without places and named by receivers of several floors.
    ///
    /// - Throws: `StoreError`.
    package func contestedRooms(_ store: InteractionStore) throws -> [RoomClaims] {
        try store.roomClaims(rooms.filter(\.places.isEmpty).map(\.name)).filter { !$0.refused.isEmpty }
    }

    private func spaces(_ store: InteractionStore) throws -> [Space] {
        if rooms.isEmpty { return Self.spaces(named: try store.placesWithRooms()) }
        return try rooms.map { room in
            let places = try store.placeNumbers(named: room.places, room: room.places.isEmpty ? room.name : nil)
            let names = try store.places(places)
            return Space(room: room, places: places, names: names.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    /// Returns the rooms that places name. Equal names on two floors are two rooms: no gateway speaks for another
    /// floor.
    static func spaces(named places: [Int64: PlaceName]) -> [Space] {
        struct Name: Hashable {
            var floor: FloorName
            var room: String
        }
        var byName: [Name: [Int64: PlaceName]] = [:]
        for (number, place) in places {
            guard let room = place.room else { continue }
            byName[Name(floor: FloorName(place), room: room), default: [:]][number] = place
        }
        return byName.map { name, places in
            Space(
                room: Room(name: name.room), places: Set(places.keys), names: places.values.sorted { $0.key < $1.key })
        }
    }

    /// Returns whether the receiver of a place works; the path of a remote receiver begins with its gateway's.
    static func isHeard(_ place: PlaceName, _ heard: HeardReceivers) -> Bool { heard.contains(place.gateway) }
}

extension OccupancySearch.Space {
    var floor: FloorName? { names.first { !$0.site.isEmpty }.map(FloorName.init) }

    /// Returns whether at least one of the receivers of its places works.
    func isHeard(_ heard: HeardReceivers) -> Bool { names.contains { OccupancySearch.isHeard($0, heard) } }
}
