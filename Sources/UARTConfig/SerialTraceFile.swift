import Glibc
public import SystemIO

/// A trace that is being recorded: each line is in the file as soon as it happened, so that whatever ends the process
/// loses at most the line that is being written.
public final class SerialTraceFile: Sendable {
    private struct State: Sendable {
        var size = 0
        var lines = 0
        /// Where the recording stopped.
        var error: SystemError?
    }

    private let descriptor: CInt
    private let path: String
    private let start = ContinuousClock.now
    private let state = LockedValue(State())

    /// Creates the file, or replaces what is in it.
    public init(path: String, header: SerialTrace.Header) throws(SystemError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw SystemError("create \(path)", errorNumber: errno) }
        self.path = path
        state.withLock { append(header.lines, to: &$0) }
        if let error { throw error }
    }

    deinit { close(descriptor) }

    /// Why the recording stopped; `nil` when it is complete up to now.
    public var error: SystemError? { state.withLock { $0.error } }

    /// For a link.
    public var tap: ModuleLink.Tap { { self.record($0) } }

    /// From any thread.
    public func record(_ event: SerialEvent) {
        state.withLock { append(event.lines(at: ContinuousClock.now - start), to: &$0) }
    }

    private func append(_ lines: [String], to state: inout State) {
        guard state.error == nil else { return }
        let bytes = Array(lines.joined().utf8)
        guard state.size + bytes.count <= SerialTrace.longestFile, state.lines + lines.count <= SerialTrace.mostLines
        else {
            state.error = SystemError("record more to \(path)", errorNumber: EFBIG)
            return
        }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                state.error = SystemError("write \(path)", errorNumber: errno)
                return
            }
        }
        state.size += bytes.count
        state.lines += lines.count
    }
}
