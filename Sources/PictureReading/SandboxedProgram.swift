import BeaconModel
import Glibc
import SystemIO

/// Output of a program in the sandbox.
package struct SandboxedOutput: Sendable {
    /// Exit status; 128 plus the signal number for a program that was killed.
    package var status: Int32
    package var bytes: [UInt8]
    /// Whether the program was killed because it printed too much or took too long.
    package var isCut: Bool
}

/// A running program, such as bubblewrap, with a picture in memory. It is killed and reaped when the owner releases it.
///
/// The program dies with the thread that started it, so its owner reads its output on the same thread.
struct SandboxedProgram: ~Copyable {
    /// The child's descriptor of the picture.
    static let pictureDescriptor: CInt = 3

    private let identifier: Int32
    /// Descriptor of the program's output.
    private let reading: CInt
    private var hasEnded: Bool

    /// - Parameters:
    ///   - arguments: path and arguments of the program.
    ///   - keepsErrors: whether standard error is read too.
    init(_ arguments: [String], picture: [UInt8], _ keepsErrors: Bool) throws(SystemError) {
        var descriptors = ChildDescriptors()
        let memory = try descriptors.memory("picture", picture)
        let (outside, inside) = try descriptors.pipe()
        identifier = try Self.program(arguments, picture: memory, output: inside, keepsErrors).start()
        reading = descriptors.take(outside)
        hasEnded = false
    }

    deinit {
        if !hasEnded {
            Self.end(identifier)
            _ = ChildProgram.wait(for: identifier)
        }
        close(reading)
    }

    /// Reads what the program prints, and waits for its end.
    ///
    /// - Parameter limit: length in bytes at which the program is killed.
    /// - Throws: `SystemError`.
    mutating func output(limit: Int, until deadline: ContinuousClock.Instant) throws(SystemError) -> SandboxedOutput {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var isCut = false
        while true {
            let left = max(Duration.zero, deadline - ContinuousClock.now)
            let ready = try waitUntilReady(reading, for: .readable, wakeup: nil, timeout: left)
            if ready.readiness.isEmpty {
                isCut = true
                break
            }
            let count = read(reading, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("read the output of a program", errorNumber: errno)
            }
            bytes += buffer[0..<min(count, limit - bytes.count)]
            if bytes.count >= limit {
                isCut = true
                break
            }
        }
        // Otherwise it has closed its output: it ends by itself, or by its own time limit.
        if isCut { Self.end(identifier) }
        let status = ChildProgram.wait(for: identifier)
        hasEnded = true
        return SandboxedOutput(status: status, bytes: bytes, isCut: isCut)
    }

    /// Kills a program, and its children if it leads a process group, as `timeout` does.
    private static func end(_ identifier: Int32) {
        kill(-identifier, SIGKILL)
        kill(identifier, SIGKILL)
    }

    private static func program(
        _ arguments: [String], picture: CInt, output: CInt, _ keepsErrors: Bool
    ) -> ChildProgram {
        var program = ChildProgram(arguments)
        program.give(.descriptor(output), as: STDOUT_FILENO)
        program.give(keepsErrors ? .descriptor(output) : .nowhere, as: STDERR_FILENO)
        program.give(.descriptor(picture), as: pictureDescriptor)
        // bubblewrap hands on every descriptor that it inherits.
        program.closedFrom = pictureDescriptor + 1
        return program
    }
}
