import ServiceLifecycle
import SystemIO

/// Whether this process is the one that works: another with the same client identifier may.
final class Duty: Sendable {
    private let state = LockedValue<(hasBegun: Bool, waiting: [AsyncStream<Never>.Continuation])>((false, []))

    func begin() {
        let waiting = state.withLock { state in
            state.hasBegun = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Waits until it has.
    ///
    /// - Returns: `false` when the program is to end before.
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
