import OperatorText

/// A message to the service manager, as sd_notify(3) defines it.
package enum ServiceMessage: Sendable, Equatable {
    case ready(status: String)
    case status(String)
    /// The program works: the watchdog starts anew.
    case watchdog
    /// The configuration is read again. Followed by `ready`. The time is that of CLOCK_MONOTONIC in microseconds.
    case reloading(monotonicMicroseconds: UInt64)
    case stopping(status: String)
    /// The start or the end takes longer: so long from now.
    case extendTimeout(Duration, status: String)

    /// The lines of the message.
    package var text: String {
        switch self {
        case .ready(let status): "READY=1\n" + Self.line(status)
        case .status(let status): Self.line(status)
        case .watchdog: "WATCHDOG=1"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
        case .stopping(let status): "STOPPING=1\n" + Self.line(status)
        case .extendTimeout(let duration, let status):
            "EXTEND_TIMEOUT_USEC=\(Self.microseconds(duration))\n" + Self.line(status)
        }
    }

    /// A line break in the status would begin another assignment.
    private static func line(_ status: String) -> String { "STATUS=" + status.shown(upTo: Liveness.longestStatus) }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let seconds = min(max(0, duration.components.seconds), 86_400)
        return seconds * 1_000_000 + max(0, duration.components.attoseconds) / 1_000_000_000_000
    }
}
