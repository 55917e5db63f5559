import Glibc
package import Logging
import ServiceLifecycle
import ServiceManager
import SystemIO

/// Keeps informed whether the clock is synchronized, where this process is not allowed to ask the kernel.
package struct ClockService: Service, CustomStringConvertible {
    private let logger: Logger

    /// Intervals of the questions. Each question starts a service for half a minute.
    private static let interval: Duration = .seconds(300)
    private static let unsynchronizedInterval: Duration = .seconds(30)

    package var description: String { "ClockService" }

    package init(logger: Logger) { self.logger = logger }

    package func run() async {
        await cancelWhenGracefulShutdown {
            guard WallClock.mustBeTold else {
                try? await gracefulShutdown()
                return
            }
            var isComplained = false
            repeat {
                if let remedy = await Self.ask().remedy, !isComplained {
                    isComplained = true
                    logger.warning("clock state unknown, counts as unsynchronized", metadata: ["remedy": "\(remedy)"])
                }
            } while (try? await Task.sleep(
                for: WallClock.isSynchronized ? Self.interval : Self.unsynchronizedInterval)) != nil
        }
    }

    /// Learns the state of the clock. Called before other services rely on it.
    ///
    /// - Returns: whether the clock is synchronized; `nil`: nobody can tell.
    @discardableResult
    package static func refresh() async -> Bool? {
        guard WallClock.mustBeTold else { return WallClock.isSynchronized }
        return await ask().isSynchronized
    }

    private static func ask() async -> TimeDateService.Answer {
        // Without a thread nobody can be asked for now.
        let answer = (try? await DedicatedThread.run(name: "clock") { TimeDateService().ask() }) ?? .failed(EAGAIN)
        WallClock.tell(isSynchronized: answer.isSynchronized ?? false)
        return answer
    }
}
