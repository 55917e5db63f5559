/// A contact with somebody who reported positive, and why it counts as one.
public struct Exposure: Equatable, Sendable {
    /// Who was exposed.
    public var subject: Int64
    /// Where most of it was.
    public var place: Int64
    /// Seconds since 1970.
    public var start: Int64
    public var end: Int64
    /// Both were there for so long, in seconds, within `start` and `end`.
    public var sharedSeconds: Int64
    /// What the policy counts.
    public var minutes: Double
    /// Of the nearest of its windows: the shortest and the longest that the two can have been apart, in centimetres.
    public var range: ClosedRange<Int64>
    /// The probability, 0 to 1, that the two were within the policy's radius in that window.
    public var probability: Double
    public var explanation: Explanation
}

/// What a verdict rests on, in numbers.
public struct Explanation: Equatable, Sendable {
    /// In the order of time; the first `mostWindows` of them.
    public var windows: [Window]
    public var omittedWindows: Int
    public var infectiousness: Double
    public var reportType: Double
    /// In the order of `Missing`.
    public var missing: [Missing]

    public static let mostWindows = 64

    /// A time that both shared at one place, or after each other.
    public struct Window: Equatable, Sendable {
        /// Where the exposed subject was.
        public var place: Int64
        /// Where the positive one was, when that is another place.
        public var positivePlace: Int64?
        /// Between the two places, in centimetres.
        public var separation: Int64
        public var start: Int64
        public var end: Int64
        /// Of each to its place, median, in centimetres.
        public var distance: Int64
        public var positiveDistance: Int64
        public var range: ClosedRange<Int64>
        public var probability: Double
        /// What a minute of it counts.
        public var weight: Double
        /// What the window counts.
        public var minutes: Double
        /// Seconds between them when they were there after each other.
        public var apart: Int64
    }

    /// What would have made the verdict better founded.
    public enum Missing: Hashable, Sendable, Comparable {
        /// Of so many encounters a distance isn't known: they don't count.
        case distances(Int)
        /// How infectious the positive was on that day: the policy's value for that is taken.
        case onset
        /// The right time: the clock of a gateway that told of it wasn't synchronized.
        case clock

        public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

        private var order: Int {
            switch self {
            case .distances: 0
            case .onset: 1
            case .clock: 2
            }
        }
    }
}
