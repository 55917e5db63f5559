/// The minutes in which two subjects looked alike to all receivers in reach, as far as they are kept.
public struct PairMinutes: Equatable, Sendable {
    /// Ascending, each once.
    public private(set) var minutes: [Minute] = []

    public struct Minute: Equatable, Sendable {
        /// When it begins, in seconds since 1970.
        public var start: Int64
        public var level: SimilarityLevel

        public init(start: Int64, level: SimilarityLevel) {
            self.start = start
            self.level = level
        }
    }

    public init(_ minutes: some Sequence<Minute> = []) {
        let sorted = minutes.sorted { ($0.start, $1.level) < ($1.start, $0.level) }
        self.minutes.reserveCapacity(sorted.count)
        // Of several levels of a minute the greatest comes first.
        for minute in sorted where self.minutes.last?.start != minute.start { self.minutes.append(minute) }
    }

    /// Those that are at least so alike, within two bounds in seconds since 1970. A minute counts when it begins within them.
    public func minutes(from threshold: SimilarityLevel, since: Int64, until: Int64) -> [Minute] {
        minutes.filter { $0.level >= threshold && $0.start >= since && $0.start < until }
    }
}
