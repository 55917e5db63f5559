import BeaconModel

/// Current second of signals, and finished ones that have not been taken.
///
/// The tallies of the subjects are in the `TrackTable`.
struct SignalsSecond: Sendable {
    static let length: Duration = .seconds(1)
    /// Time after the latest second in which a subject was received for which each second is published: until then, the
    /// next reading of a subject that advertises seldom can follow.
    static let fadingTime: Duration = .seconds(5)
    /// Interval at which seconds are published after that.
    static let quietInterval: Duration = .seconds(10)
    /// Shortest listening time of a second in which a subject was received.
    private static let shortestListening: Duration = .milliseconds(100)

    private var listening: SignalsListening
    /// Start of the second; `nil` before any time is known.
    private(set) var startedAt: Timestamp?
    private var endsAt: Timestamp = .epoch
    /// Start of the latest second that was given, and whether the receiver was deaf in it.
    private var given: (startedAt: Timestamp, isDeaf: Bool)?
    /// Start of the latest second in which a subject was received.
    private var heardAt: Timestamp?
    private var finished: [Signals] = []
    /// Maximum disorder. A time that is further before the second means that the clock was set back.
    private let largestDisorder: Duration

    /// Creates the seconds.
    ///
    /// - Returns: `nil` where no signals are wanted.
    init?(_ rules: InteractionRules) {
        guard rules.hasSignals else { return nil }
        listening = SignalsListening(longestGap: rules.longestListeningGap)
        largestDisorder = rules.largestDisorder
    }

    /// Whether a time belongs to another second.
    func isOver(at time: Timestamp) -> Bool {
        guard let startedAt else { return true }
        return time >= endsAt || startedAt - time > largestDisorder
    }

    mutating func listened(_ order: Int, until time: Timestamp) {
        listening.listened(order, until: time, second: startedAt ?? time)
    }

    mutating func becameDeaf(_ order: Int, at time: Timestamp) {
        listening.becameDeaf(order, at: time, second: startedAt ?? time)
    }

    mutating func move(from: Int, to: Int) { listening.move(from: from, to: to) }

    /// Finishes the second and begins the one of `time`.
    ///
    /// - Parameter heard: subjects that were received in the second, with their tallies.
    mutating func finish(at time: Timestamp, heard: [(Subject, ReadingsTally)]) {
        if let startedAt {
            let listened = listening.take(from: startedAt, to: endsAt)
            // A receiver that has received a subject has listened.
            let least = heard.isEmpty ? .zero : Self.shortestListening
            give(
                Signals(
                    startedAt: startedAt, listened: max(listened, least),
                    subjects: heard.map { .init(subject: $0.0, count: $0.1.count, rssi: $0.1.mean) }
                        .sorted { $0.subject < $1.subject }))
            if time < startedAt { listening.wasSet(to: time) }
        }
        let length = Self.length.clampedMicroseconds
        let start = Timestamp(microseconds: time.microseconds / length * length)
        startedAt = start
        endsAt = start + Self.length
    }

    /// Ends the seconds. The current one is not finished.
    mutating func stop() { startedAt = nil }

    private mutating func give(_ signals: Signals) {
        let isDeaf = signals.listened == .zero
        if !signals.subjects.isEmpty { heardAt = signals.startedAt }
        let isFading =
            heardAt.map { signals.startedAt >= $0 && signals.startedAt - $0 <= Self.fadingTime && !isDeaf } ?? false
        let isNew = given.map {
            $0.isDeaf != isDeaf || signals.startedAt < $0.startedAt
                || signals.startedAt - $0.startedAt >= Self.quietInterval
        }
        guard !signals.subjects.isEmpty || isFading || isNew ?? true else { return }
        given = (signals.startedAt, isDeaf)
        finished.append(signals)
    }

    mutating func take() -> [Signals] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll() }
        return finished
    }
}
