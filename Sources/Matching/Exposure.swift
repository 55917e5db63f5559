/// A contact with a person who reported positive, with the reasons why it counts as one.
package struct Exposure: Equatable, Sendable {
    /// Exposed subject.
    package var subject: Int64
    /// Place of the largest part of the exposure.
    package var place: Int64
    /// Start and end, in seconds since 1970.
    package var start: Int64
    package var end: Int64
    /// Time that both were present, in seconds, within `start` and `end`.
    package var sharedSeconds: Int64
    /// Minutes as the policy counts them.
    package var minutes: Double
    /// Minimum and maximum distance between the two in the nearest window, in centimetres; `nil` when the exposure was
    /// found by minutes together, which give no distance.
    package var range: ClosedRange<Int64>?
    /// Probability, 0 to 1. By minutes together: that this is a contact as the policy defines it. By distances: that
    /// the two were within the policy's radius in the nearest window.
    package var probability: Double
    package var way: Way
    package var explanation: Explanation

    /// Returns the place with the longest time in the windows; among equals, the one with the smallest number.
    static func mainPlace(_ windows: [Explanation.Window]) -> Int64 {
        var seconds: [Int64: Int64] = [:]
        for window in windows { seconds[window.place, default: 0] += window.end - window.start }
        return seconds.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
    }

    /// Method by which an exposure was found.
    package enum Way: String, Equatable, Sendable {
        /// Similar signals of the two at all receivers in reach, minute by minute.
        case together
        /// Proximity of both to one beacon, according to their distances from it.
        case beacon
    }
}

/// Evidence for a verdict, in numbers.
package struct Explanation: Equatable, Sendable {
    /// Windows in order of time; the first `mostWindows` of them.
    package var windows: [Window]
    package var omittedWindows: Int
    package var infectiousness: Double
    package var reportType: Double
    /// Missing evidence, in the order of `Missing`.
    package var missing: [Missing]
    /// Evidence for minutes together; `nil` when it was not looked up, or when the exposure was found by distances.
    package var together: TogetherDetails?

    package static let mostWindows = 64

    /// Time that both spent at one place, together or one after the other.
    package struct Window: Equatable, Sendable {
        /// Place of the exposed subject.
        package var place: Int64
        package var start: Int64
        package var end: Int64
        /// Weight of a minute in the window.
        package var weight: Double
        /// Weighted minutes of the window.
        package var minutes: Double
        package var evidence: Evidence

        package enum Evidence: Equatable, Sendable {
            case distances(Distances)
            case together(Together)
        }

        /// Distances of both subjects from a beacon.
        package struct Distances: Equatable, Sendable {
            /// Place of the positive subject, when it is a different one.
            package var positivePlace: Int64?
            /// Distance between the two places, in centimetres.
            package var separation: Int64
            /// Median distance of each subject from its place, in centimetres.
            package var distance: Int64
            package var positiveDistance: Int64
            package var range: ClosedRange<Int64>
            /// Probability that the two were within the policy's radius.
            package var probability: Double
            /// Seconds from the departure of one to the arrival of the other; 0 when they shared time.
            package var apart: Int64
        }

        /// Minutes in which all receivers received the two alike.
        package struct Together: Equatable, Sendable {
            /// Minutes that are at least near, and the close ones among them.
            package var near: Int
            package var close: Int
            /// Those of them that were told by rooms and positions on a surveyed floor, and not by similarity.
            package var located = 0
            /// Mean similarity of the others, each rounded down to a multiple of 0.02.
            package var similarity: Double

            package init(near: Int, close: Int, located: Int = 0, similarity: Double) {
                self.near = near
                self.close = close
                self.located = located
                self.similarity = similarity
            }
        }

        package var distances: Distances? { if case .distances(let distances) = evidence { distances } else { nil } }
        package var together: Together? { if case .together(let together) = evidence { together } else { nil } }
    }

    /// Evidence that would have made the verdict more reliable.
    package enum Missing: Hashable, Sendable, Comparable {
        /// Distances of this many encounters, which therefore do not count.
        case distances(Int)
        /// Day of onset or test. Without it, the policy's value for an unknown day is used.
        case onset
        /// Correct time: the clock of a gateway that reported the exposure was not synchronized.
        case clock
        /// Readings of these receivers, which did not listen in some of the minutes.
        case deafReceivers([Int64])
        /// A second receiver in reach. In this many minutes only one receiver received both subjects, which shows only
        /// that they were in the same area. These minutes do not count.
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
