package import BeaconModel
import CLinux
import Glibc

/// A pipe that ends a `poll` in another thread. Closing a descriptor does not.
package final class WakeupPipe: Sendable {
    /// Descriptor that is readable after `wake`.
    package let readEnd: CInt
    private let writeEnd: CInt

    /// - Throws: `SystemError` when the process has run out of file descriptors.
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

    /// Makes every current and later `poll` return, until `drain`. Safe to call from any thread.
    package func wake() {
        var byte: UInt8 = 1
        // A full pipe is already awake.
        _ = write(writeEnd, &byte, 1)
    }

    /// Resets the effect of `wake`.
    package func drain() {
        var bytes: [64 of UInt8] = .init(repeating: 0)
        while withUnsafeMutableBytes(of: &bytes, { read(readEnd, $0.baseAddress, $0.count) }) > 0 {}
    }
}
