package import ServiceManager
import SystemIO
import Watching

/// What the service manager is told, in the order that it expects. Without a service manager nothing is.
package final class ServiceAnnouncer: Sendable {
    private struct State: Sendable {
        var isReady = false
        var isStopping = false
        var isRestarting = false
        var status = ""
        var statusAt: ContinuousClock.Instant?
    }

    private let manager: ServiceManager?
    private let state = LockedValue(State())

    /// Minimum time between two status lines while the program works, because they name ages.
    private static let statusInterval: Duration = .seconds(10)
    /// Time by which a timeout is extended at once.
    package static let extensionTime: Duration = .seconds(20)

    /// - Parameter manager: `nil`: nobody is told.
    package init(_ manager: ServiceManager?) { self.manager = manager }

    /// The announcer of a program that was started by a service manager, or not.
    package static func ofEnvironment() -> ServiceAnnouncer { ServiceAnnouncer(ServiceManager()) }

    /// Time within which the service manager wants to be told that the program works.
    package var watchdogInterval: Duration? { manager?.watchdogInterval }

    /// Whether anybody is told.
    package var isListenedTo: Bool { manager != nil }

    package var isReady: Bool { state.withLock { $0.isReady } }
    package var isStopping: Bool { state.withLock { $0.isStopping } }
    package var isRestarting: Bool { state.withLock { $0.isRestarting } }

    /// Tells that the program is ready. Only the first call counts.
    package func ready(_ status: String) {
        let isFirst = state.withLock { state in
            defer { state.isReady = true }
            return !state.isReady && !state.isStopping
        }
        if isFirst { manager?.send(.ready(status: status)) }
    }

    /// Tells the status, if it has changed.
    ///
    /// - Parameter isUrgent: whether the change is not only one of ages.
    package func status(_ status: String, isUrgent: Bool, now: ContinuousClock.Instant = .now) {
        let isDue = state.withLock { state in
            guard !state.isStopping, state.status != status,
                isUrgent || state.statusAt.map({ now - $0 >= Self.statusInterval }) ?? true
            else { return false }
            state.status = status
            state.statusAt = now
            return true
        }
        if isDue { manager?.send(.status(status)) }
    }

    package func ping() { manager?.send(.watchdog) }

    /// Tells that the configuration is read again, and when that has ended.
    package func reloading<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // Before it is ready a program is starting, and systemd expects nothing else.
        guard isReady, !isStopping else { return try await body() }
        manager?.send(.reloading(monotonicMicroseconds: ServiceManager.monotonicMicroseconds))
        defer { manager?.send(.ready(status: state.withLock { $0.status })) }
        return try await body()
    }

    /// Tells that the program runs again from its beginning, in the same process: the next run tells that it is ready.
    ///
    /// The service manager is not told of an end: it would wait for that of the process, and then kill it.
    package func restarting() {
        let (isReady, isFirst) = state.withLock { state in
            defer { state.isRestarting = true }
            return (state.isReady, !state.isRestarting && !state.isStopping)
        }
        // Before it is ready a program is starting, and systemd expects nothing else.
        guard isReady, isFirst else { return }
        manager?.send(.reloading(monotonicMicroseconds: ServiceManager.monotonicMicroseconds))
        manager?.send(.status("starting again with another configuration"))
    }

    /// Tells that the program ends, unless it runs again.
    package func stopping() {
        let isRestarting = state.withLock { state in
            state.isStopping = true
            return state.isRestarting
        }
        if isRestarting { return }
        manager?.send(.stopping(status: "stopping"))
    }

    /// Tells that the start or the end takes longer, and why. Repeated before `extensionTime` has passed.
    package func takesLonger(_ reason: String) {
        manager?.send(.extendTimeout(Self.extensionTime, status: reason))
    }

    /// Asks for more time while `body` runs. The status is `reason`, or what `status` was last given meanwhile.
    ///
    /// A thread asks, because `body` may block the thread of a task.
    package func takingLonger<Result>(_ reason: String, _ body: () throws -> Result) rethrows -> Result {
        guard isListenedTo, let wakeup = try? WakeupPipe() else { return try body() }
        status(reason, isUrgent: true)
        try? DedicatedThread.start(name: "more-time") { [self] in
            repeat {
                takesLonger(state.withLock { $0.status })
            } while (try? waitUntilReady(
                anyOf: [], for: .readable, wakeup: wakeup, timeout: Self.extensionTime / 4))?.woken == false
        }
        defer { wakeup.wake() }
        return try body()
    }
}
