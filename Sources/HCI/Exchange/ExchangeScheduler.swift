public import BeaconModel

/// Decides which peers to connect to, and records the results. Pure.
///
/// Candidate addresses and received codes have separate tables, so a flood of invented addresses cannot displace known
/// codes. The limit on attempts holds regardless of what has been evicted from the tables.
public struct ExchangeScheduler: Sendable {
    private struct Candidate: Sendable {
        /// Number of consecutive sightings without a gap of more than `freshness`.
        var timesHeard: Int
        var adapter: Adapter
        var rssi: RSSI
        var lastHeard: Timestamp
        var failures = 0
        var rest: Rest?

        func isFresh(at time: Timestamp, _ rules: ExchangeRules) -> Bool { time - lastHeard <= rules.freshness }

        func isReady(at time: Timestamp, _ rules: ExchangeRules) -> Bool {
            timesHeard >= neededSightings && isFresh(at: time, rules) && rest?.isOver(at: time) ?? true
        }

        /// Whether this candidate is received more strongly or, at the same strength, more recently.
        func isBetter(than other: Candidate) -> Bool { (rssi, lastHeard) > (other.rssi, other.lastHeard) }
    }

    /// A back-off period without attempts.
    private struct Rest: Sendable {
        var begun: Timestamp
        var length: Duration

        /// Whether the period is over. Setting the clock back does not extend it.
        func isOver(at time: Timestamp) -> Bool { time < begun || time - begun >= length }
    }

    /// Counts of attempts so far, by result.
    public struct Counts: Equatable, Sendable {
        /// Attempts that were started.
        public var started: UInt64 = 0
        /// Attempts that returned a code.
        public var succeeded: UInt64 = 0
        /// Attempts that ended without a code.
        public var failed: UInt64 = 0

        package init(started: UInt64 = 0, succeeded: UInt64 = 0, failed: UInt64 = 0) {
            self.started = started
            self.succeeded = succeeded
            self.failed = failed
        }
    }

    /// The rules in force.
    public let rules: ExchangeRules
    /// Codes that were read and have not expired.
    public private(set) var codes = ContactCodes()
    /// Counts since the start.
    public private(set) var counts = Counts()
    private var candidates: RecencyTable<ExchangePeer, Candidate>
    private var underWay: Set<ExchangePeer> = []
    /// Starts of attempts in the last minute.
    private var starts: [Timestamp] = []

    /// Creates a scheduler that knows no peer.
    public init(rules: ExchangeRules) {
        self.rules = rules
        candidates = RecencyTable(capacity: rules.capacity)
    }

    /// Number of attempts in progress.
    public var countUnderWay: Int { underWay.count }
    /// Number of candidate addresses.
    public var candidateCount: Int { candidates.count }

    /// Records a sighting.
    ///
    /// - Returns: whether an attempt may be due, so that calling `start` is worthwhile.
    public mutating func hear(_ sighting: ExchangeSighting) -> Bool {
        guard rules.apps.contains(sighting.peer.app) else { return false }
        _ = codes.hear(sighting.peer, at: sighting.time)
        guard sighting.isConnectable, let rssi = sighting.rssi, rssi.dBm >= rules.weakest else { return false }
        var mayStart = false
        let fresh = Candidate(timesHeard: 0, adapter: sighting.adapter, rssi: rssi, lastHeard: sighting.time)
        candidates.use(sighting.peer, initially: fresh) { [rules] candidate in
            if !candidate.isFresh(at: sighting.time, rules) { candidate.timesHeard = 0 }
            candidate.timesHeard = min(candidate.timesHeard + 1, Self.neededSightings)
            candidate.adapter = sighting.adapter
            candidate.rssi = rssi
            candidate.lastHeard = sighting.time
            mayStart = candidate.isReady(at: sighting.time, rules)
        }
        return mayStart && mayAsk(sighting.peer, at: sighting.time) && hasRoom(at: sighting.time)
    }

    /// Returns the connection to make now, or `nil`. The caller must report the result with `finish`.
    public mutating func start(at now: Timestamp) -> ExchangeAttempt? {
        guard hasRoom(at: now) else { return nil }
        var best: (peer: ExchangePeer, candidate: Candidate)?
        for (peer, candidate) in candidates.entries {
            guard candidate.isReady(at: now, rules), mayAsk(peer, at: now) else { continue }
            if let best, !candidate.isBetter(than: best.candidate) { continue }
            best = (peer, candidate)
        }
        guard let best else { return nil }
        starts = starts.filter { Self.isWithinMinute($0, of: now) } + [now]
        underWay.insert(best.peer)
        counts.started &+= 1
        return ExchangeAttempt(peer: best.peer, adapter: best.candidate.adapter)
    }

    /// Records the result of an attempt.
    public mutating func finish(
        _ peer: ExchangePeer, _ result: Result<ExchangeReading, ExchangeError>, at now: Timestamp
    ) {
        guard underWay.remove(peer) != nil else { return }
        switch result {
        case .success(let reading):
            counts.succeeded &+= 1
            codes.insert(reading.code, for: peer, at: now)
            candidates.change(peer) {
                $0.failures = 0
                $0.rest = nil
            }
        case .failure:
            counts.failed &+= 1
            candidates.change(peer) { [rules] in
                let factor = 1 << min($0.failures, 16)
                $0.failures = min($0.failures + 1, 17)
                $0.rest = Rest(begun: now, length: min(rules.firstBackoff * factor, rules.rotation))
            }
        }
    }

    /// Returns the code of the phone with an address, as long as the address is attributed to that phone.
    public func code(for peer: ExchangePeer, at time: Timestamp) -> UInt64? { codes.code(for: peer, at: time) }

    private static let neededSightings = 2

    private func mayAsk(_ peer: ExchangePeer, at time: Timestamp) -> Bool {
        !underWay.contains(peer) && !codes.isKnown(peer, forLessThan: rules.rotation, at: time)
    }

    private func hasRoom(at time: Timestamp) -> Bool {
        underWay.count < rules.parallel
            && (starts.last.map { time < $0 || time - $0 >= rules.spacing } ?? true)
            && starts.count(where: { Self.isWithinMinute($0, of: time) }) < rules.perMinute
    }

    /// Whether a start lies in the minute before `time`. A start in the future, from before the clock was set back,
    /// does not count.
    private static func isWithinMinute(_ start: Timestamp, of time: Timestamp) -> Bool {
        start <= time && time - start < .seconds(60)
    }
}
