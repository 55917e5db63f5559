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

    /// Between the beginnings of two stays at one place, in seconds. The stay that begins when another did replaces it.
    static let leastDistance: Int64 = 15

    enum Answer: Equatable {
        /// From then on; the phone said of the time before it already that it was there. Seconds since 1970.
        case taken(from: Int64)
        /// It was on another floor, or at too many places.
        case elsewhere
        /// It said so already, or says so of less than a few seconds.
        case overlapping
    }

    /// Whether a phone can have been there too; if so, it is remembered.
    ///
    /// At one place a phone is once at a time: thousands of stays that overlap would be as many encounters with everybody. A
    /// stay begins and ends with a reading, so both of its ends are part of it.
    mutating func admit(_ stay: Stay) -> Answer {
        guard let stay = rest(of: stay) else { return .overlapping }
        let meanwhile = stays.filter { $0.start <= stay.end && $0.end >= stay.start }
        guard meanwhile.count <= Self.mostStays, !meanwhile.contains(where: { $0.contradicts(stay) }),
            Self.mostAtOnce(meanwhile.filter { $0.place != stay.place }, during: stay) < Self.mostPlaces
        else { return .elsewhere }
        stays.append(stay)
        return .taken(from: stay.start)
    }

    /// What a stay says beyond those at the same place that began before it; `nil` when that is nothing, or when it goes on into
    /// a later one.
    private func rest(of stay: Stay) -> Stay? {
        let others = stays.filter { $0.place == stay.place && $0.start != stay.start }
        var rest = stay
        for other in others where other.start < stay.start {
            rest.start = max(rest.start, other.end, other.start + Self.leastDistance)
        }
        if rest.start > stay.start, rest.start >= stay.end { return nil }
        let isIntoLater = others.contains {
            $0.start > rest.start && ($0.start < rest.end || $0.start < rest.start + Self.leastDistance)
        }
        return isIntoLater ? nil : rest
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
