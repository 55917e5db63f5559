import InteractionStore
import Matching

/// How many are in each room and on each floor, out of a store.
struct OccupancySearch: Sendable {
    /// Those that are configured; without any, the rooms that records name. Who is at a place of no room counts for the floor.
    var rooms: [Room]
    /// Which subjects stand for people; everyone without.
    var kinds: Set<String>

    /// Gateways tell every 30 s that somebody is still there. Who wasn't heard of for so long isn't, in seconds. What a clock
    /// told that is wrong by more than this isn't found, so nothing is said of clocks here.
    static let window: Int64 = 90

    /// A room with its places.
    struct Space: Sendable {
        var room: Room
        var places: Set<Int64>
        var names: [PlaceName]
    }

    /// - Parameters:
    ///   - heard: gateways, `site/building/floor/gateway`, that have said lately that they work.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    func documents(_ store: InteractionStore, heard: Set<String>, now: Int64) throws -> [OccupancyDocument] {
        let spaces = try self.spaces(store)
        let inRooms = spaces.reduce(into: Set<Int64>()) { $0.formUnion($1.places) }
        // Of no room.
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
            var elsewhere: (floor: FloorName, probability: Double)?
            for (place, stay) in places {
                for index in spacesOfPlace[place] ?? [] {
                    guard let probability = stay.probability(within: spaces[index].room.radius) else { continue }
                    shares[index] = max(shares[index] ?? 0, probability)
                }
                guard let name = working[place], let probability = stay.probability(within: Room.standardRadius),
                    probability > elsewhere?.probability ?? 0
                else { continue }
                elsewhere = (FloorName(name), probability)
            }
            var onFloor: [FloorName: Double] = [:]
            for (index, share) in RoomShares.normalized(shares) {
                probabilities[index].append(share)
                if let floor = spaces[index].floor { onFloor[floor, default: 0] += share }
            }
            // Whoever is in no room as far as rooms can tell.
            if let elsewhere {
                let rest = max(0, 1 - onFloor.values.reduce(0, +))
                onFloor[elsewhere.floor, default: 0] += min(rest, elsewhere.probability)
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
        // Where there are rooms, all of them have to be heard.
        for (floor, spaces) in Dictionary(grouping: spaces, by: \.floor) {
            if let floor { isFloorHeard[floor] = spaces.allSatisfy { $0.isHeard(heard) } }
        }
        let whole = isFloorHeard.map { floor, isHeard in
            OccupancyDocument(floor, Occupancy(floors[floor] ?? []), isHeard: isHeard, now: now)
        }
        return (whole + rooms).sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    /// Of each who counts, by place the latest stay.
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

    private func spaces(_ store: InteractionStore) throws -> [Space] {
        let rooms = self.rooms.isEmpty ? try store.roomNames().map { Room(name: $0) } : self.rooms
        return try rooms.map { room in
            let places = try store.placeNumbers(named: room.places, room: room.places.isEmpty ? room.name : nil)
            let names = try store.places(places)
            return Space(room: room, places: places, names: names.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    /// Whether the gateway of a place works; an ear's path begins with its gateway's.
    static func isHeard(_ place: PlaceName, _ heard: Set<String>) -> Bool {
        heard.contains(place.gateway)
            || heard.contains(place.gateway.split(separator: "/").prefix(4).joined(separator: "/"))
    }
}

/// Where a floor is.
struct FloorName: Hashable, Sendable {
    var site: String
    var building: String
    var floor: String
}

extension FloorName {
    init(_ place: PlaceName) { self.init(site: place.site, building: place.building, floor: place.floor) }
}

extension OccupancySearch.Space {
    var floor: FloorName? { names.first { !$0.site.isEmpty }.map(FloorName.init) }

    /// Whether at least one of the gateways of its places works.
    func isHeard(_ heard: Set<String>) -> Bool { names.contains { OccupancySearch.isHeard($0, heard) } }
}
