package import BeaconModel
import CLinux
import Glibc

/// Ends a `poll` in another thread: closing a descriptor doesn't.
package final class WakeupPipe: Sendable {
    /// Readable once `wake` was called.
    package let readEnd: CInt
    private let writeEnd: CInt

    /// - Throws: `SystemError` when the process has no descriptors left.
    package init() throws(SystemError) {
        var ends: [2 of CInt] = [-1, -1]
        let status = withUnsafeMutablePointer(to: &ends) {
            $0.withMemoryRebound(to: CInt.self, capacity: 2) { pipe2($0, O_CLOEXEC | O_NONBLOCK) }
        }
        guard status == 0 else { throw SystemError("create a pipe", errorNumber: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Makes every present and later `poll` return, until `drain`. From any thread.
    package func wake() {
        var byte: UInt8 = 1
        // A full pipe is awake already.
        _ = write(writeEnd, &byte, 1)
    }

    /// Takes back what `wake` did.
    package func drain() {
        var bytes: [64 of UInt8] = .init(repeating: 0)
        while withUnsafeMutableBytes(of: &bytes, { read(readEnd, $0.baseAddress, $0.count) }) > 0 {}
    }
}
