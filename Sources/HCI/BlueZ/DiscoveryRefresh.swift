package import BeaconModel

/// When discovery is to be ended and begun again, so that a controller that gives each device once per scan gives it once
/// more.
package struct DiscoveryRefresh {
    /// A call to bluetoothd.
    package enum Step: Equatable, Sendable {
        case stop, start
    }

    private enum Phase {
        case running
        /// Its answer is awaited.
        case calling(Step, serial: UInt32)
    }

    private var phase = Phase.running
    private var since: Timestamp?

    package init(since: Timestamp? = nil) {
        self.since = since
    }

    /// How long one discovery lasts. A shorter one would hear less of devices that advertise once a second.
    package static let interval: Duration = .seconds(1)
    /// An answer that takes longer won't come.
    private static let patience: Duration = .seconds(5)

    /// What to call now, without an answer to the call before.
    package mutating func next(now: Timestamp) -> Step? {
        guard let since, now >= since else {
            // The first time, or the clock was set back.
            since = now
            return nil
        }
        switch phase {
        case .running: return now - since >= Self.interval ? .stop : nil
        case .calling: return now - since >= Self.patience ? .stop : nil
        }
    }

    /// The call was sent.
    package mutating func called(_ step: Step, serial: UInt32, now: Timestamp) {
        phase = .calling(step, serial: serial)
        since = now
    }

    /// What to call after this answer.
    package mutating func answered(serial: UInt32, now: Timestamp) -> Step? {
        guard case .calling(let step, serial) = phase else { return nil }
        since = now
        switch step {
        // A refusal too: there was no discovery that could end.
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
