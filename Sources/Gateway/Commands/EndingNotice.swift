import CommandSupport
import SystemIO
import UnixSignals

/// Whether a signal has asked the program to end: then it does not start again.
final class EndingNotice: Sendable {
    private let value = LockedValue(false)
    private let watching: Task<Void, Never>

    init() async {
        let signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint])
        watching = Task { [value] in
            for await _ in signals { value.withLock { $0 = true } }
        }
    }

    deinit { watching.cancel() }

    var isAsked: Bool { value.withLock { $0 } }
}
