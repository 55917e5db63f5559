import BeaconModel

/// Admission control for untracked subjects without other evidence.
///
/// Without a flood, every subject is admitted at the first advertisement. A flood means more new subjects than
/// `newcomerBurst` at once and `newcomersPerSecond` in the long run; it ends when there have been fewer for a while. In
/// a flood, a new subject must be received again, and at most `startsPerSecond` begin. Memory: one `LastNotedTable`.
struct Newcomers: Sendable {
    enum Verdict: Sendable {
        case welcome, unconfirmed, tooMany
    }

    private let burst: Int
    private let startsPerSecond: Int
    private let confirmationWindow: Duration
    /// Holds what `newcomerBurst` new subjects take, and as much again: the bucket is half empty when a flood begins.
    private var arrivals: TokenBucket
    private var starts: TokenBucket
    private var heard: LastNotedTable

    /// Minimum interval between two advertisements, so that a packet that two adapters received counts once.
    /// Advertisers send at intervals of 20 ms or more (Bluetooth Core Specification 5.4, Vol 6, Part B, 4.4.2.2).
    private static let shortestInterval: Duration = .milliseconds(15)

    init(_ rules: InteractionRules) {
        burst = rules.newcomerBurst
        startsPerSecond = rules.startsPerSecond
        confirmationWindow = rules.confirmationWindow
        heard = LastNotedTable(entries: rules.rememberedNewcomers)
        arrivals = TokenBucket(perSecond: rules.newcomersPerSecond, burst: 2 * burst)
        starts = TokenBucket(perSecond: startsPerSecond, burst: startsPerSecond)
    }

    /// Notes a new subject's advertisement and returns the verdict.
    mutating func judge(_ fingerprint: UInt64, at time: Timestamp) -> Verdict {
        let now = time - .epoch
        let age = heard.age(of: fingerprint, at: time)
        let isRecent = age.map { $0 <= confirmationWindow } ?? false
        if !isRecent {
            arrivals.drain(at: now)
            heard.note(fingerprint, at: time)
        }
        if arrivals.holds(max(1, burst), at: now) { return .welcome }
        guard isRecent, let age, age >= Self.shortestInterval else { return .unconfirmed }
        heard.note(fingerprint, at: time)
        guard starts.holds(1, at: now) else { return .tooMany }
        return .welcome
    }

    /// Records that a welcome subject's interaction has begun.
    mutating func began(at time: Timestamp) { starts.drain(at: time - .epoch) }

    /// State of the rates for a restart: the times at which the buckets will be full.
    struct Rates: Codable, Sendable {
        var arrivals: Timestamp
        var starts: Timestamp
    }

    var rates: Rates {
        get { Rates(arrivals: .epoch + arrivals.fullAt, starts: .epoch + starts.fullAt) }
        set { (arrivals.fullAt, starts.fullAt) = (newValue.arrivals - .epoch, newValue.starts - .epoch) }
    }

    /// Resets the rates after the clock was set back.
    mutating func forgetRates(_ rules: InteractionRules) {
        arrivals = TokenBucket(perSecond: rules.newcomersPerSecond, burst: 2 * burst)
        starts = TokenBucket(perSecond: startsPerSecond, burst: startsPerSecond)
    }
}
