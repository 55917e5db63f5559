import OperatorText

/// Decides whether the service manager's watchdog is told that the program works. The service manager restarts a program
/// that no longer tells it.
package struct WatchdogRule: Sendable {
    package enum Decision: Sendable, Hashable {
        case ping
        /// The program is stuck, and a new start has been tried within the last hour.
        case pingInVain(because: String)
        /// The program is stuck. A restart is wanted.
        case withhold(because: String)
    }

    /// Time within which the service manager wants to be told.
    private let interval: Duration
    /// Time of the last restart that this rule has asked for; `nil`: not known to have asked for one.
    private let restartedAt: Duration?
    private var startingSince: Duration?
    private var stuckSince: Duration?

    /// Minimum time between two restarts. A restart interrupts the modules' supervision, which does not need the radio.
    package static let pause: Duration = .seconds(3600)

    /// - Parameters:
    ///   - interval: the time within which the service manager wants to be told.
    ///   - restartedAt: the time of the last restart because of this rule, on the clock of `decide`.
    package init(interval: Duration, restartedAt: Duration? = nil) {
        self.interval = interval
        self.restartedAt = restartedAt
    }

    /// Time for which a program may be stuck before it stops telling.
    private var patience: Duration { interval * 2 }
    /// Time that the first scan, the first connection or the repair of an adapter may take.
    private var longestStart: Duration { interval * 10 }

    package mutating func decide(_ vitality: Vitality, now: Duration) -> Decision {
        switch vitality {
        case .working, .waiting:
            startingSince = nil
            stuckSince = nil
            return .ping
        case .starting:
            stuckSince = nil
            let since = startingSince ?? now
            startingSince = since
            guard now - since >= longestStart else { return .ping }
            return restart(
                because: "the start or the repair has not ended after \(DurationText.format(longestStart))", now: now)
        case .stuck(let reason):
            startingSince = nil
            let since = stuckSince ?? now
            stuckSince = since
            guard now - since >= patience else { return .ping }
            return restart(because: reason, now: now)
        }
    }

    private func restart(because reason: String, now: Duration) -> Decision {
        if let restartedAt, now - restartedAt < Self.pause { return .pingInVain(because: reason) }
        return .withhold(because: reason)
    }
}
