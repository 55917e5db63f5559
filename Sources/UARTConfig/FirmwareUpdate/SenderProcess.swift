import BeaconModel
import Glibc
import ModuleDialogues
import SystemIO

/// A running sender on a pseudo-terminal of its own. The owner forwards the bytes between it and the module's line.
///
/// The sender receives the image in memory, so the verified bytes are what is sent, whatever happens to the file. It is
/// killed and reaped when the owner releases it. If the owner is killed, the sender's line hangs up.
struct SenderProcess: ~Copyable {
    package struct End: Equatable, Sendable {
        /// Exit status; 128 plus the signal number for a program that was killed.
        var status: Int32
        /// The last line that the program printed.
        var lastWords: String?
    }

    let identifier: Int32
    /// Descriptor for the sender's line. Non-blocking.
    let line: CInt
    /// Descriptor for the sender's printed output. Non-blocking.
    private let words: CInt

    /// The child's descriptor for the image.
    private static let imageDescriptor: CInt = 4
    private static let longestWords = 4096

    init(_ sender: KermitSender, image: [UInt8]) throws(SystemError) {
        var descriptors = ChildDescriptors()
        let memory = try descriptors.memory("image", image)
        let (reading, writing) = try descriptors.pipe()
        let terminal = try PseudoTerminalPair.open()
        let outside = try descriptors.keep(terminal.master, "open a pseudo-terminal")
        let inside = try descriptors.keep(terminal.slave, "open a pseudo-terminal")
        Self.makeRaw(inside)
        // This process may not block while it reads; the program may while it prints.
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        identifier = try Self.program(sender, line: inside, words: writing, image: memory).start()
        line = descriptors.take(outside)
        words = descriptors.take(reading)
    }

    deinit {
        kill(identifier, SIGKILL)
        _ = ChildProgram.wait(for: identifier)
        close(line)
        close(words)
    }

    /// Reads from the sender's line.
    ///
    /// - Returns: `nil` when the program has closed its line.
    borrowing func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(line, &buffer, buffer.count)
        if count > 0 { return Array(buffer[0..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Writes to the sender's line. Bytes that the program does not accept are lost, as on a serial line.
    borrowing func write(_ bytes: [UInt8]) { _ = Glibc.write(line, bytes, bytes.count) }

    /// Waits for the program to exit after it has closed its line. Kills it if it takes longer than 3 s.
    consuming func end() -> End {
        let deadline = ContinuousClock.now + .seconds(3)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        reading: while ContinuousClock.now < deadline {
            let left = deadline - .now
            guard (try? waitUntilReady(words, for: .readable, wakeup: nil, timeout: left)) != nil else { break }
            while true {
                let count = Glibc.read(words, &buffer, buffer.count)
                if count == 0 { break reading }
                if count < 0 { break }
                text += buffer[0..<count]
                text = text.suffix(Self.longestWords)
            }
        }
        kill(identifier, SIGKILL)
        let status = ChildProgram.wait(for: identifier)
        close(line)
        close(words)
        discard self
        return End(status: status, lastWords: Self.lastLine(text))
    }

    private static func lastLine(_ text: [UInt8]) -> String? {
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }
        let line = lines.last { $0.contains { $0 > 0x20 } }
        return line.map { String(decoding: $0.filter { (0x20...0x7E).contains($0) }.prefix(200), as: UTF8.self) }
    }

    private static func makeRaw(_ descriptor: CInt) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B115200))
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    private static func program(
        _ sender: KermitSender, line: CInt, words: CInt, image: CInt
    ) -> ChildProgram {
        var program = ChildProgram([sender.path] + sender.arguments(file: "/proc/self/fd/\(imageDescriptor)"))
        program.give(.descriptor(words), as: STDOUT_FILENO)
        program.give(.descriptor(words), as: STDERR_FILENO)
        // The line can be standard input and output.
        for number in sender.lineDescriptors { program.give(.descriptor(line), as: number) }
        program.give(.descriptor(image), as: imageDescriptor)
        program.hasEnvironment = true
        // This process must handle Ctrl-C alone.
        program.hasOwnSession = true
        return program
    }
}
