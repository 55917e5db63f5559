import ServiceLifecycle
import SystemIO

/// State of this process among those with the same client identifier: active or standby.
final class Activation: Sendable {
    private let state = LockedValue<(hasBegun: Bool, waiting: [AsyncStream<Never>.Continuation])>((false, []))

    func begin() {
        let waiting = state.withLock { state in
            state.hasBegun = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Waits until this process is active.
    ///
    /// - Returns: `false` if the program must end before.
    func begun() async -> Bool {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        let isWaiting = state.withLock { state in
            if !state.hasBegun { state.waiting.append(continuation) }
            return !state.hasBegun
        }
        guard isWaiting else { return true }
        await cancelWhenGracefulShutdown {
            for await _ in stream {}
        }
        return state.withLock { $0.hasBegun }
    }
}
