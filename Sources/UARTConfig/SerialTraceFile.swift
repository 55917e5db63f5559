package import BeaconModel
import Glibc
package import ModuleDialogues
import SystemIO

/// A trace that is being recorded. Each line is written at once, so a process that ends for any reason loses at most
/// the line being written.
package final class SerialTraceFile: Sendable {
    private struct State: Sendable {
        var isBegun = false
        var size = 0
        var lines = 0
        /// The error that stopped the recording.
        var error: SystemError?
    }

    private let descriptor: CInt
    private let path: String
    private let header: SerialTrace.Header
    private let start = ContinuousClock.now
    private let state = LockedValue(State())

    /// Opens or creates the file. Its contents are kept until `begin`, or until something is recorded.
    ///
    /// - Throws: `SerialTraceError.notReplaced` for a file that is not a trace; `SystemError`.
    package init(path: String, header: SerialTrace.Header) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw SystemError("create \(path)", errorNumber: errno) }
        self.path = path
        self.header = header
        try checkReplaceable()
    }

    /// Empties the file and writes the header.
    ///
    /// - Throws: `SystemError`.
    package func begin() throws(SystemError) {
        state.withLock { begin(&$0) }
        if let error { throw error }
    }

    private func begin(_ state: inout State) {
        if state.isBegun { return }
        state.isBegun = true
        // Files other than regular ones, such as a terminal, have no contents.
        if ftruncate(descriptor, 0) != 0, errno != EINVAL {
            state.error = SystemError("empty \(path)", errorNumber: errno)
        }
        append(header.lines, to: &state)
    }

    private func checkReplaceable() throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let expected = Array((SerialTrace.firstLine + "\n").utf8)
        var found = [UInt8](repeating: 0, count: expected.count)
        let count = pread(descriptor, &found, found.count, 0)
        // A file that is empty or ends within its first line can be replaced.
        guard count >= 0, expected.starts(with: found.prefix(count)) else {
            throw SerialTraceError.notReplaced(path: path)
        }
    }

    deinit { close(descriptor) }

    /// The error that stopped the recording; `nil` while it is complete.
    package var error: SystemError? { state.withLock { $0.error } }

    /// A tap that records the events of a link.
    package var tap: SerialTap { { self.record($0) } }

    /// Records an event. Safe to call from any thread.
    package func record(_ event: SerialEvent) {
        state.withLock { state in
            begin(&state)
            append(event.lines(at: ContinuousClock.now - start), to: &state)
        }
    }

    private func append(_ lines: [String], to state: inout State) {
        guard state.error == nil else { return }
        let bytes = Array(lines.joined().utf8)
        guard state.size + bytes.count <= SerialTrace.longestFile, state.lines + lines.count <= SerialTrace.mostLines
        else {
            state.error = SystemError("continue recording to \(path)", errorNumber: EFBIG)
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
