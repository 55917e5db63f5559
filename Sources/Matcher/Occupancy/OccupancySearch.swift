import InteractionStore
import Matching

/// How many are in each room and on each floor, out of a store.
struct OccupancySearch: Sendable {
    /// Those that are configured; without any, the rooms that records name. Who is at a place of no room counts for the floor.
    var rooms: [Room]
    /// Which subjects stand for people; everyone without.
    var kinds: Set<String>

    /// Gateways tell every 30 s that somebody is still there. Who wasn't heard of for so long isn't, in seconds.
    static let window: Int64 = 90

    /// A room with its places, or a place of no room.
    struct Space: Sendable {
        var room: Room?
        var places: Set<Int64>
        var names: [PlaceName]
    }

    /// - Parameters:
    ///   - heard: gateways, `site/building/floor/gateway`, that have said lately that they work.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    func documents(_ store: InteractionStore, heard: Set<String>, now: Int64) throws -> [OccupancyDocument] {
        let spaces = try self.spaces(store, now: now)
        let all = spaces.reduce(into: Set<Int64>()) { $0.formUnion($1.places) }
        let stays = try store.stays(at: all, from: now - Self.window, to: now)
        let fixed = try store.fixedSubjects(since: now - 86_400)
        var bySubject: [Int64: [Int64: Stay]] = [:]
        // By place the latest.
        for stay in stays where !fixed.contains(stay.subject) {
            if let other = bySubject[stay.subject]?[stay.place], other.end > stay.end { continue }
            bySubject[stay.subject, default: [:]][stay.place] = stay
        }
        if !kinds.isEmpty {
            let names = try store.subjects(Set(bySubject.keys))
            bySubject = bySubject.filter { kinds.contains(names[$0.key]?.kind ?? "") }
        }
        var probabilities = [[Double]](repeating: [], count: spaces.count)
        var floors: [FloorName: [Double]] = [:]
        for places in bySubject.values {
            let shares = RoomShares.normalized(Self.shares(of: places, in: spaces))
            var onFloor: [FloorName: Double] = [:]
            for (index, share) in shares {
                probabilities[index].append(share)
                if let floor = spaces[index].floor { onFloor[floor, default: 0] += share }
            }
            for (floor, share) in onFloor { floors[floor, default: []].append(share) }
        }
        let rooms = zip(spaces, probabilities).compactMap { space, probabilities in
            space.room.map { room in
                OccupancyDocument(
                    room, on: space.floor, Occupancy(probabilities), isHeard: space.isHeard(heard), now: now)
            }
        }
        let spacesByFloor = Dictionary(grouping: spaces.filter { $0.floor != nil }) { $0.floor }
        let whole = spacesByFloor.compactMap { floor, spaces in
            floor.map { floor in
                OccupancyDocument(
                    floor, Occupancy(floors[floor] ?? []), isHeard: spaces.allSatisfy { $0.isHeard(heard) }, now: now)
            }
        }
        return (whole + rooms).sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    /// By the room's number, the probability that the distance is one of that room.
    private static func shares(of places: [Int64: Stay], in spaces: [Space]) -> [Int: Double] {
        var shares: [Int: Double] = [:]
        for (index, space) in spaces.enumerated() {
            for place in space.places {
                guard let probability = places[place]?.probability(within: space.radius) else { continue }
                shares[index] = max(shares[index] ?? 0, probability)
            }
        }
        return shares
    }

    private func spaces(_ store: InteractionStore, now: Int64) throws -> [Space] {
        let rooms = self.rooms.isEmpty ? try store.roomNames().map { Room(name: $0) } : self.rooms
        let spaces = try rooms.map { room in
            let places = try store.placeNumbers(named: room.places, room: room.places.isEmpty ? room.name : nil)
            return Space(room: room, places: places, names: try names(places, store))
        }
        let inRooms = spaces.reduce(into: Set<Int64>()) { $0.formUnion($1.places) }
        let others = try store.placeNumbers(seenSince: now - 86_400).subtracting(inRooms)
        return try spaces + others.sorted().map { Space(room: nil, places: [$0], names: try names([$0], store)) }
    }

    private func names(_ places: Set<Int64>, _ store: InteractionStore) throws -> [PlaceName] {
        try store.places(places).sorted { $0.key < $1.key }.map(\.value)
    }
}

/// Where a floor is.
struct FloorName: Hashable, Sendable {
    var site: String
    var building: String
    var floor: String
}

extension OccupancySearch.Space {
    /// Who is nearer to one of its places is inside, in centimetres.
    var radius: Int64 { room?.radius ?? Room.standardRadius }

    var floor: FloorName? {
        names.first { !$0.site.isEmpty }.map { FloorName(site: $0.site, building: $0.building, floor: $0.floor) }
    }

    /// Whether at least one of the gateways of its places works.
    func isHeard(_ heard: Set<String>) -> Bool {
        names.contains { place in heard.contains { place.gateway == $0 || place.gateway.hasPrefix($0 + "/") } }
    }
}
