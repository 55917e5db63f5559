/// A contact with somebody who reported positive, and why it counts as one.
package struct Exposure: Equatable, Sendable {
    /// Who was exposed.
    package var subject: Int64
    /// Where most of it was.
    package var place: Int64
    /// Seconds since 1970.
    package var start: Int64
    package var end: Int64
    /// Both were there for so long, in seconds, within `start` and `end`.
    package var sharedSeconds: Int64
    /// What the policy counts.
    package var minutes: Double
    /// The shortest and the longest that the two can have been apart in the nearest window, in centimetres; `nil` when it was found
    /// by minutes together, which tell no distance.
    package var range: ClosedRange<Int64>?
    /// The probability, 0 to 1. By minutes together: that it is a contact as the policy means it. By distances: that the two were
    /// within the policy's radius in the nearest window.
    package var probability: Double
    package var way: Way
    package var explanation: Explanation

    /// Where most of some windows was; of places with equal times the one with the smallest number.
    static func mainPlace(_ windows: [Explanation.Window]) -> Int64 {
        var seconds: [Int64: Int64] = [:]
        for window in windows { seconds[window.place, default: 0] += window.end - window.start }
        return seconds.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
    }

    /// How an exposure was found.
    package enum Way: String, Equatable, Sendable {
        /// All receivers in reach heard the two alike, minute by minute.
        case together
        /// Both were near one beacon, by their distances from it.
        case beacon
    }
}

/// What a verdict rests on, in numbers.
package struct Explanation: Equatable, Sendable {
    /// In the order of time; the first `mostWindows` of them.
    package var windows: [Window]
    package var omittedWindows: Int
    package var infectiousness: Double
    package var reportType: Double
    /// In the order of `Missing`.
    package var missing: [Missing]
    /// What minutes together rest on; `nil` where nothing was looked up, or where it was found by distances.
    package var together: TogetherDetails?

    package static let mostWindows = 64

    /// A time that both shared at one place, or after each other.
    package struct Window: Equatable, Sendable {
        /// Where the exposed subject was.
        package var place: Int64
        package var start: Int64
        package var end: Int64
        /// What a minute of it counts.
        package var weight: Double
        /// What the window counts.
        package var minutes: Double
        package var evidence: Evidence

        package enum Evidence: Equatable, Sendable {
            case distances(Distances)
            case together(Together)
        }

        /// The distances of both from a beacon.
        package struct Distances: Equatable, Sendable {
            /// Where the positive one was, when that is another place.
            package var positivePlace: Int64?
            /// The distance between the two places, in centimetres.
            package var separation: Int64
            /// The median distance of each from its place, in centimetres.
            package var distance: Int64
            package var positiveDistance: Int64
            package var range: ClosedRange<Int64>
            /// The probability that the two were within the policy's radius.
            package var probability: Double
            /// Seconds between them when they were there after each other.
            package var apart: Int64
        }

        /// Minutes in which all receivers heard the two alike.
        package struct Together: Equatable, Sendable {
            /// Minutes that are at least near, and those of them that are close.
            package var near: Int
            package var close: Int
            /// The mean of the similarity of these minutes, each rounded down to 0.02.
            package var similarity: Double
        }

        package var distances: Distances? { if case .distances(let distances) = evidence { distances } else { nil } }
        package var together: Together? { if case .together(let together) = evidence { together } else { nil } }
    }

    /// What would have made the verdict better founded.
    package enum Missing: Hashable, Sendable, Comparable {
        /// Of so many encounters a distance isn't known: they don't count.
        case distances(Int)
        /// How infectious the positive was on that day: the policy's value for that is taken.
        case onset
        /// The right time: the clock of a gateway that told of it wasn't synchronized.
        case clock
        /// What these receivers would have heard: they were deaf in some of the minutes.
        case deafReceivers([Int64])
        /// A second receiver in reach: in so many minutes only one heard both, which says that they were in the same area and no
        /// more. These minutes don't count.
        case secondReceiver(minutes: Int)

        package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

        private var order: Int {
            switch self {
            case .distances: 0
            case .onset: 1
            case .clock: 2
            case .deafReceivers: 3
            case .secondReceiver: 4
            }
        }
    }
}
