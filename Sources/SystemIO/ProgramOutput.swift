package import BeaconModel
import Glibc

/// A program that ran to its end, and everything that it wrote.
package struct ProgramOutput: Sendable {
    /// Exit status; 128 plus the signal number for a program that was killed.
    package var status: Int32
    package var output: [UInt8]
    package var errorOutput: [UInt8]

    /// Runs a program and waits for its end. Blocks the thread.
    ///
    /// - Parameters:
    ///   - program: its standard streams are replaced.
    ///   - input: the standard input.
    ///   - limit: the maximum number of bytes of output; a program that writes more is ended.
    /// - Throws: `SystemError`; `EFBIG` for more output.
    package static func of(
        _ program: ChildProgram, input: [UInt8] = [], limit: Int
    ) throws(SystemError) -> ProgramOutput {
        var program = program
        let path = program.arguments.first ?? ""
        var descriptors = ChildDescriptors()
        let output = try descriptors.pipe()
        // A file does not make the program wait until somebody reads it, as a second pipe would.
        let errors = try descriptors.memory("error output", [])
        program.give(.descriptor(try descriptors.memory("input", input)), as: STDIN_FILENO)
        program.give(.descriptor(output.writing), as: STDOUT_FILENO)
        program.give(.descriptor(errors), as: STDERR_FILENO)
        let identifier = try program.start()
        descriptors.release(output.writing)
        var read: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while read.count <= limit {
            let count = Glibc.read(output.reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            read += buffer[0..<count]
        }
        if read.count > limit { kill(identifier, SIGKILL) }
        let status = ChildProgram.wait(for: identifier)
        guard read.count <= limit else { throw SystemError("read the output of \(path)", errorNumber: EFBIG) }
        let count = pread(errors, &buffer, buffer.count, 0)
        return ProgramOutput(status: status, output: read, errorOutput: Array(buffer.prefix(max(0, count))))
    }
}
