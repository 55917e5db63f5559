import Glibc
import SystemIO

/// The time of the last restart that the watchdog was asked for. It is kept in the runtime directory, which survives
/// restarts of the service and not those of the machine.
package struct RestartMemory: Sendable {
    private let path: String

    /// - Returns: `nil` if the service manager gave this program no runtime directory.
    package init?() {
        guard let directories = getenv("RUNTIME_DIRECTORY").map({ String(cString: $0) }),
            let directory = directories.split(separator: ":").first, directory.hasPrefix("/")
        else { return nil }
        path = directory + "/restarted"
    }

    /// The time of the last restart; `nil`: there was none since the machine started.
    package var restartedAt: Duration? {
        guard let text = try? FileContents.read(path, limit: 64),
            let seconds = Int64(String(decoding: text, as: UTF8.self)), (0...Self.now.components.seconds) ~= seconds
        else { return nil }
        return .seconds(seconds)
    }

    /// Records that a restart is wanted now. A failure only means that the next restart comes sooner.
    package func note() {
        try? FileContents.replace(path, with: Array("\(Self.now.components.seconds)".utf8), isPrivate: true)
    }

    /// Time since the start of the machine.
    package static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
