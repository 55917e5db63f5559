import CSystemd
import Glibc
package import Watching

/// The service manager that has started this program and wants to be told how it does.
package struct ServiceManager: Sendable {
    /// Time within which it wants to be told that the program works; `nil`: it does not want to be told.
    package let watchdogInterval: Duration?

    /// Creates the connection.
    ///
    /// - Returns: `nil` if there is no service manager that wants to be told.
    ///
    /// libsystemd reads the address from the environment with each message, so it stays there. Programs that this one
    /// starts do not get it.
    package init?() {
        guard let address = getenv("NOTIFY_SOCKET"), address.pointee != 0 else { return nil }
        var microseconds: UInt64 = 0
        let isWatched = sd_watchdog_enabled(0, &microseconds) > 0
        // A month is longer than any interval that makes sense, and far below the limits of a Duration.
        watchdogInterval =
            isWatched && microseconds > 0
            ? .microseconds(Int64(clamping: min(microseconds, 2_600_000_000_000))) : nil
    }

    /// Sends a message. The program goes on if that fails.
    ///
    /// - Returns: whether it was sent.
    @discardableResult
    package func send(_ message: ServiceMessage) -> Bool { sd_notify(0, message.text) > 0 }

    /// The time that `ServiceMessage.reloading` takes.
    package static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_nsec / 1000)
    }
}
