/// Where a phone says that it was, so that it isn't everywhere at once. Pure.
struct PhonePresence {
    private var stays: [Stay]

    struct Stay: Equatable {
        var place: Int64
        /// `site/building/floor` of where it can have been; empty where that isn't known.
        var floors: Set<String> = []
        /// Seconds since 1970.
        var start: Int64
        var end: Int64

        /// Whether no floor is common to both.
        func contradicts(_ other: Stay) -> Bool {
            !floors.isEmpty && !other.floors.isEmpty && floors.isDisjoint(with: other.floors)
        }
    }

    /// Beacons that a phone ranges at one time: those of a floor that are in reach.
    static let mostPlaces = 8
    /// Stays that have a moment in common with another one: of one place a phone may send some that overlap.
    static let mostStays = 1000

    /// - Parameter stays: what the phone said before.
    init(_ stays: [Stay] = []) { self.stays = stays }

    /// Of one place, so many seconds lie between the beginnings of two stays, in seconds. The stay that begins when another did
    /// replaces it.
    static let leastDistance: Int64 = 60

    /// Whether a phone can have been there too; if so, it is remembered.
    ///
    /// At one place a phone is once at a time: thousands of stays that overlap would be as many encounters with everybody. A
    /// stay begins and ends with a reading, so both of its ends are part of it.
    mutating func admits(_ stay: Stay) -> Bool {
        guard !stays.contains(where: { Self.isCopy($0, of: stay) }) else { return false }
        let meanwhile = stays.filter { $0.start <= stay.end && $0.end >= stay.start }
        guard meanwhile.count <= Self.mostStays else { return false }
        let isElsewhere = meanwhile.contains { $0.contradicts(stay) }
        if isElsewhere { return false }
        guard Self.mostAtOnce(meanwhile.filter { $0.place != stay.place }, during: stay) < Self.mostPlaces else {
            return false
        }
        stays.append(stay)
        return true
    }

    /// Whether a stay says again, in other words, where the phone was at the same time.
    private static func isCopy(_ one: Stay, of other: Stay) -> Bool {
        one.place == other.place && one.start != other.start
            && (one.start < other.end && one.end > other.start || abs(one.start - other.start) < leastDistance)
    }

    /// At how many places the phone was at the moment of a stay when these were most.
    private static func mostAtOnce(_ others: [Stay], during stay: Stay) -> Int {
        var changes: [(at: Int64, isEnd: Bool, place: Int64)] = []
        for other in others {
            changes.append((max(other.start, stay.start), false, other.place))
            changes.append((other.end, true, other.place))
        }
        // Who comes when another goes meets them.
        changes.sort { ($0.at, $0.isEnd ? 1 : 0, $0.place) < ($1.at, $1.isEnd ? 1 : 0, $1.place) }
        var present: [Int64: Int] = [:]
        var most = 0
        for change in changes {
            let count = (present[change.place] ?? 0) + (change.isEnd ? -1 : 1)
            present[change.place] = count > 0 ? count : nil
            most = max(most, present.count)
        }
        return most
    }
}
