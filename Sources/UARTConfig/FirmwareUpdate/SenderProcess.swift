import BeaconModel
import CLinux
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
        var open: [CInt] = []
        /// Moves a descriptor above the numbers that the child uses for its own.
        func keep(_ descriptor: CInt, _ operation: String) throws(SystemError) -> CInt {
            guard descriptor >= 0 else { throw SystemError(operation, errorNumber: errno) }
            defer { close(descriptor) }
            let kept = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
            guard kept >= 0 else { throw SystemError(operation, errorNumber: errno) }
            open.append(kept)
            return kept
        }
        do throws(SystemError) {
            let memory = try keep(memfd_create("firmware", Self.closeOnExec), "keep the image in memory")
            try Self.fill(memory, image)
            var ends: [2 of CInt] = [-1, -1]
            let status = withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: CInt.self, capacity: 2) { pipe2($0, O_CLOEXEC | O_NONBLOCK) }
            }
            guard status == 0 else { throw SystemError("create a pipe", errorNumber: errno) }
            let wordsOut = try keep(ends[0], "create a pipe")
            let wordsIn = try keep(ends[1], "create a pipe")
            let terminal = try PseudoTerminalPair.open()
            let outside = try keep(terminal.master, "open a pseudo-terminal")
            let inside = try keep(terminal.slave, "open a pseudo-terminal")
            Self.makeRaw(inside)
            // The program may block while it prints.
            _ = fcntl(wordsIn, F_SETFL, 0)
            identifier = try Self.spawn(sender, line: inside, words: wordsIn, image: memory)
            line = outside
            words = wordsOut
            for descriptor in [memory, wordsIn, inside] { close(descriptor) }
        } catch {
            for descriptor in open { close(descriptor) }
            throw error
        }
    }

    deinit {
        kill(identifier, SIGKILL)
        _ = Self.wait(identifier)
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
        let status = Self.wait(identifier)
        close(line)
        close(words)
        discard self
        return End(status: status, lastWords: Self.lastLine(text))
    }

    private static func wait(_ identifier: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private static func lastLine(_ text: [UInt8]) -> String? {
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }
        let line = lines.last { $0.contains { $0 > 0x20 } }
        return line.map { String(decoding: $0.filter { (0x20...0x7E).contains($0) }.prefix(200), as: UTF8.self) }
    }

    private static func fill(_ descriptor: CInt, _ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SystemError("keep the image in memory", errorNumber: errno)
            }
        }
    }

    private static func makeRaw(_ descriptor: CInt) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B115200))
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    private static func spawn(
        _ sender: KermitSender, line: CInt, words: CInt, image: CInt
    ) throws(SystemError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, words, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO)
        for descriptor in sender.lineDescriptors { posix_spawn_file_actions_adddup2(&actions, line, descriptor) }
        posix_spawn_file_actions_adddup2(&actions, image, imageDescriptor)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program gets default signal handling and a session without our terminal, whose Ctrl-C this process must
        // handle.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        posix_spawnattr_setsigmask(&attributes, &defaults)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGALRM] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | newSession)
        let arguments = [sender.path] + sender.arguments(file: "/proc/self/fd/\(imageDescriptor)")
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var identifier: Int32 = 0
        let status = posix_spawn(&identifier, sender.path, &actions, &attributes, &pointers, environ)
        guard status == 0 else { throw SystemError("start \(sender.path)", errorNumber: status) }
        return identifier
    }

    /// MFD_CLOEXEC of <sys/mman.h>, declared only under _GNU_SOURCE.
    private static let closeOnExec: UInt32 = 1

    /// POSIX_SPAWN_SETSID of <spawn.h>, declared only under _GNU_SOURCE.
    private static let newSession: Int16 = 0x80
}
