import BeaconModel

/// Current interval of readings, and finished ones that have not been taken.
///
/// It does not contain present subjects: their tallies are in the `TrackTable`.
struct ReadingsMinute: Sendable {
    let interval: Duration
    var listening: ListeningClock
    /// Start of the interval; `nil` before any time is known.
    private(set) var startedAt: Timestamp?
    private var endsAt: Timestamp = .epoch
    /// Subjects that departed in this interval, possibly several times.
    private var departed: [(subject: Subject, tally: ReadingsTally)] = []
    private let capacity: Int
    /// Number of subjects whose tallies were dropped because too many departed in one interval.
    private(set) var forgotten: UInt64 = 0
    private var finished: [Readings] = []

    /// Maximum disorder. A time that is further before the interval means that the clock was set back.
    private let largestDisorder: Duration
    private let longestListeningGap: Duration

    /// Creates the intervals.
    ///
    /// - Returns: `nil` where no readings are wanted.
    init?(_ rules: InteractionRules) {
        guard let interval = rules.readingsInterval, interval > .zero else { return nil }
        self.interval = interval
        capacity = max(1, rules.capacity)
        largestDisorder = rules.largestDisorder
        longestListeningGap = rules.longestListeningGap
        listening = ListeningClock(longestGap: rules.longestListeningGap)
    }

    /// Clears the listening of all adapters.
    mutating func forgetListening() { listening = ListeningClock(longestGap: longestListeningGap) }

    /// Whether a time belongs to another interval.
    func isOver(at time: Timestamp) -> Bool {
        guard let startedAt else { return true }
        return time >= endsAt || startedAt - time > largestDisorder
    }

    /// Keeps the tally of a subject that departed in this interval.
    mutating func left(_ subject: Subject, _ tally: ReadingsTally) {
        guard tally.count > 0, startedAt != nil else { return }
        guard departed.count < capacity else {
            forgotten += 1
            return
        }
        departed.append((subject, tally))
    }

    /// Finishes the interval and begins the one of `time`.
    ///
    /// - Parameter present: subjects that are present and were received in the interval, with their tallies.
    mutating func finish(at time: Timestamp, present: [(Subject, ReadingsTally)]) {
        // Nothing to give: there was no interval, or the clock was set back just after it began.
        let isNothing = startedAt.map { time < $0 } ?? true && !hasNews(present)
        if !isNothing { give(at: time, present: present) }
        let length = interval.clampedMicroseconds
        let start = Timestamp(microseconds: time.microseconds / length * length)
        startedAt = start
        endsAt = start + interval
    }

    /// Finishes the interval with the data so far, and begins none.
    mutating func stop(at time: Timestamp, present: [(Subject, ReadingsTally)]) {
        if hasNews(present) { give(at: time, present: present) }
        startedAt = nil
    }

    /// Whether the interval contains data; one that has just begun does not.
    private func hasNews(_ present: [(Subject, ReadingsTally)]) -> Bool {
        listening.hasListened || !present.isEmpty || !departed.isEmpty
    }

    private mutating func give(at time: Timestamp, present: [(Subject, ReadingsTally)]) {
        guard let startedAt else { return }
        var tallies = present
        if !departed.isEmpty {
            var merged = Dictionary(present, uniquingKeysWith: { first, _ in first })
            for (subject, tally) in departed { merged[subject, default: ReadingsTally()].add(tally) }
            tallies = merged.map { ($0.key, $0.value) }
            departed.removeAll()
        }
        let (listened, adapters) = listening.take(of: interval)
        finished.append(
            Readings(
                startedAt: startedAt, interval: interval, decidedAt: time, listened: listened, adapters: adapters,
                subjects: tallies.map { .init(subject: $0.0, count: $0.1.count, rssi: $0.1.mean) }
                    .sorted { $0.subject < $1.subject }))
    }

    mutating func take() -> [Readings] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll() }
        return finished
    }
}
