/// The presence that a phone reports, so that it is not everywhere at once. Pure.
package struct PhonePresence {
    private var stays: [Stay]

    package struct Stay: Equatable {
        package var place: Int64
        /// `site/building/floor` of the possible floors; empty where these are not known.
        package var floors: Set<String> = []
        /// Start of the stay, in seconds since 1970.
        package var start: Int64
        package var end: Int64

        package init(place: Int64, floors: Set<String> = [], start: Int64, end: Int64) {
            self.place = place
            self.floors = floors
            self.start = start
            self.end = end
        }

        /// Whether the two stays have no floor in common.
        package func contradicts(_ other: Stay) -> Bool {
            !floors.isEmpty && !other.floors.isEmpty && floors.isDisjoint(with: other.floors)
        }
    }

    /// Maximum number of places at one time: the beacons of a floor within a phone's reach.
    package static let mostPlaces = 8
    /// Maximum number of stays that overlap another one: a phone can send several that overlap at one place.
    package static let mostStays = 1000

    /// Creates a presence.
    ///
    /// - Parameter stays: stays that the phone has reported before.
    package init(_ stays: [Stay] = []) { self.stays = stays }

    /// Minimum distance between the starts of two stays at one place, in seconds. A stay with the same start as another
    /// replaces it.
    static let leastDistance: Int64 = 15

    package enum Answer: Equatable {
        /// The stay is accepted from this time on, in seconds since 1970; the phone has already reported the time
        /// before.
        case taken(from: Int64)
        /// The phone was on another floor, or at too many places.
        case elsewhere
        /// The phone has already reported this stay, or the remainder is less than a few seconds.
        case overlapping
    }

    /// Returns whether a phone can have made a stay in addition to those before; if so, the stay is remembered.
    ///
    /// A phone is at one place once at a time: thousands of overlapping stays would be as many encounters with
    /// everybody. A stay begins and ends with a reading, so both of its ends are part of it.
    package mutating func admit(_ stay: Stay) -> Answer {
        guard let stay = rest(of: stay) else { return .overlapping }
        let meanwhile = stays.filter { $0.start <= stay.end && $0.end >= stay.start }
        guard meanwhile.count <= Self.mostStays, !meanwhile.contains(where: { $0.contradicts(stay) }),
            Self.mostAtOnce(meanwhile.filter { $0.place != stay.place }, during: stay) < Self.mostPlaces
        else { return .elsewhere }
        stays.append(stay)
        return .taken(from: stay.start)
    }

    /// Returns the part of a stay beyond those at the same place that began before it; `nil` when nothing is left, or
    /// when it continues into a later one.
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

    /// Returns the maximum number of places where the phone was at one moment of a stay.
    private static func mostAtOnce(_ others: [Stay], during stay: Stay) -> Int {
        var changes: [(at: Int64, isEnd: Bool, place: Int64)] = []
        for other in others {
            changes.append((max(other.start, stay.start), false, other.place))
            changes.append((other.end, true, other.place))
        }
        // A stay that begins at the moment when another ends overlaps it.
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
