package import Localisation
package import Matching

/// Who was near a person, by rooms and positions on surveyed floors.
///
/// Where both were located, this replaces the similarity of what receivers heard.
package struct LocatedCompany: Equatable, Sendable {
    /// Times in which both were located, by the other subject, in order of time.
    package private(set) var times: [Int64: [Time]] = [:]

    /// A time in which both were located.
    package struct Time: Equatable, Sendable {
        /// Starts of the first minute and of the minute after the last, in seconds since 1970.
        package var start: Int64
        package var end: Int64
        package var nearness: Nearness
    }

    /// How near two subjects were.
    package enum Nearness: Equatable, Sendable {
        /// Not in one room, or too far from each other.
        case apart
        /// In one hall, which is so large that it does not tell, or in rooms that are not known: the similarity of what
        /// receivers heard tells.
        case unknown
        case near
        case close
    }

    /// Distance within which two subjects are close, in metres, unless the policy's radius is less.
    ///
    /// Fixed receivers do not tell less.
    private static let closeDistance = 3.0
    /// Probability within two and within six metres from which a stay counts.
    ///
    /// A stay's distribution is wider than two metres, so that the probability of so short a distance is never great.
    /// Measured on simulated offices, halls and thin walls with a survey; see `make bench-contacts`.
    private static let thresholds = (two: 0.2, six: 0.55)
    /// Probability from which a room counts as known.
    ///
    /// At 0.5, contacts in simulated halls are found as well as by similarity alone, and better in offices and behind
    /// thin walls; at 0.85, hardly better anywhere.
    private static let sure = 0.5

    package init() {}

    /// Compares the stays of a person with those of others.
    ///
    /// - Parameters:
    ///   - own: stays of the person, of which only surveyed ones count.
    ///   - others: stays of others, with their subjects.
    ///   - radius: distance within which two subjects are near, in metres.
    package init(
        own: [SettledStay], others: [(subject: Int64, stay: SettledStay)], radius: Double
    ) {
        let own = own.filter(\.isSurveyed).sorted { $0.start < $1.start }
        guard let longest = own.map({ $0.end - $0.start }).max() else { return }
        for (subject, other) in others where other.isSurveyed {
            // Own stays that can overlap: they begin before the other's end, and not long before its start.
            var index = own.partitioningIndex { $0.start > other.start - longest - 1 }
            while index < own.endIndex, own[index].start < other.end {
                if let time = Self.time(own[index], other, radius: radius) {
                    times[subject, default: []].append(time)
                }
                index += 1
            }
        }
        for subject in times.keys { times[subject]?.sort { $0.start < $1.start } }
    }

    /// Adds what was found for other stays of the person.
    package mutating func formUnion(_ other: LocatedCompany) {
        for (subject, more) in other.times {
            times[subject, default: []] += more
            times[subject]?.sort { $0.start < $1.start }
        }
    }

    private static func time(_ own: SettledStay, _ other: SettledStay, radius: Double) -> Time? {
        // Whole minutes: the windows of which stays consist.
        let start = (max(own.start, other.start) + 59) / 60 * 60
        let end = min(own.end, other.end) / 60 * 60
        guard start < end else { return nil }
        let wide = own.nearness(to: other, within: radius)
        let nearness: Nearness =
            if wide.near > threshold(radius) {
                isClose(own, other, within: min(radius, closeDistance)) ? .close : .near
            } else if isKnown(own), isKnown(other), isElsewhere(own, other) || wide.near >= wide.inOneHall {
                .apart
            } else {
                .unknown
            }
        return Time(start: start, end: end, nearness: nearness)
    }

    private static func isClose(_ own: SettledStay, _ other: SettledStay, within distance: Double) -> Bool {
        let nearness = own.nearness(to: other, within: distance)
        return nearness.near + nearness.nearInHall > threshold(distance)
    }

    private static func isKnown(_ stay: SettledStay) -> Bool { stay.room != nil && stay.probability >= sure }

    private static func isElsewhere(_ own: SettledStay, _ other: SettledStay) -> Bool {
        own.floor != other.floor || own.room != other.room
    }

    /// Probability from which two count as within a distance in metres.
    private static func threshold(_ distance: Double) -> Double {
        let share = min(1, max(0, (distance - 2) / 4))
        return thresholds.two + (thresholds.six - thresholds.two) * share
    }

    /// Returns the minutes together of a subject, with those in which both were located told by rooms and positions.
    ///
    /// - Parameters:
    ///   - minutes: minutes by the similarity of what receivers heard.
    ///   - near: level of a minute that is near.
    ///   - close: level of a minute that is close.
    package func minutes(
        of subject: Int64, _ minutes: PairMinutes, near: SimilarityLevel, close: SimilarityLevel
    ) -> PairMinutes {
        guard let times = times[subject] else { return minutes }
        var result: [PairMinutes.Minute] = []
        var next = times.startIndex
        for minute in minutes.minutes(from: .none) {
            while next < times.endIndex, times[next].end <= minute.start { next += 1 }
            if next < times.endIndex, times[next].start <= minute.start, times[next].nearness != .unknown { continue }
            result.append(minute)
        }
        for time in times where time.nearness == .near || time.nearness == .close {
            for start in stride(from: time.start, to: time.end, by: 60) {
                result.append(.init(start: start, level: time.nearness == .close ? close : near))
            }
        }
        return PairMinutes(result.sorted { $0.start < $1.start })
    }

    /// Returns whether a minute was told by rooms and positions.
    ///
    /// - Parameter start: start of the minute in seconds since 1970.
    package func isLocated(_ subject: Int64, at start: Int64) -> Bool {
        guard let times = times[subject] else { return false }
        let index = times.partitioningIndex { $0.end > start }
        return index < times.endIndex && times[index].start <= start && times[index].nearness != .unknown
    }
}

extension Array {
    /// Returns the index of the first element from which on a condition holds.
    fileprivate func partitioningIndex(_ isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
