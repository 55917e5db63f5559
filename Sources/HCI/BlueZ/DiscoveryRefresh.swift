package import BeaconModel

/// Schedule for restarting discovery. Some controllers report each device only once per scan; a restart makes them
/// report it again.
package struct DiscoveryRefresh {
    /// A call to bluetoothd.
    package enum Step: Equatable, Sendable {
        case stop, start
    }

    private enum Phase {
        case running
        /// A call whose answer is pending.
        case calling(Step, serial: UInt32)
    }

    private var phase = Phase.running
    private var since: Timestamp?

    package init(since: Timestamp? = nil) {
        self.since = since
    }

    /// Duration of one discovery. A shorter one would miss devices that advertise once a second.
    package static let interval: Duration = .seconds(1)
    /// Time after which an answer is no longer expected.
    private static let patience: Duration = .seconds(5)

    /// Returns the call that is due at `now` without an answer to the previous call, or `nil`.
    package mutating func next(now: Timestamp) -> Step? {
        guard let since, now >= since else {
            // First call, or the clock was set back.
            since = now
            return nil
        }
        switch phase {
        case .running: return now - since >= Self.interval ? .stop : nil
        case .calling: return now - since >= Self.patience ? .stop : nil
        }
    }

    /// Records that a call was sent.
    package mutating func called(_ step: Step, serial: UInt32, now: Timestamp) {
        phase = .calling(step, serial: serial)
        since = now
    }

    /// Returns the call that follows the given answer, or `nil`.
    package mutating func answered(serial: UInt32, now: Timestamp) -> Step? {
        guard case .calling(let step, serial) = phase else { return nil }
        since = now
        switch step {
        // A refusal has the same effect: there was no discovery to stop.
        case .stop: return .start
        case .start:
            phase = .running
            return nil
        }
    }

    /// Whether no call is under way.
    package var isSettled: Bool {
        if case .running = phase { true } else { false }
    }
}
