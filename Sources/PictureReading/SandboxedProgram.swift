import BeaconModel
import CLinux
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
            let memory = try keep(memfd_create("picture", Self.closeOnExec), "keep the picture in memory")
            try Self.fill(memory, picture)
            var ends: [2 of CInt] = [-1, -1]
            let status = withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: CInt.self, capacity: 2) { pipe2($0, O_CLOEXEC) }
            }
            guard status == 0 else { throw SystemError("create a pipe", errorNumber: errno) }
            let writing = ends[1]
            open.append(writing)
            let outside = try keep(ends[0], "create a pipe")
            let inside = try keep(fcntl(writing, F_DUPFD_CLOEXEC, 10), "create a pipe")
            identifier = try Self.spawn(arguments, picture: memory, output: inside, keepsErrors)
            reading = outside
            hasEnded = false
            for descriptor in [memory, writing, inside] { close(descriptor) }
        } catch {
            for descriptor in open { close(descriptor) }
            throw error
        }
    }

    deinit {
        if !hasEnded {
            Self.end(identifier)
            _ = Self.wait(identifier)
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
        let status = Self.wait(identifier)
        hasEnded = true
        return SandboxedOutput(status: status, bytes: bytes, isCut: isCut)
    }

    /// Kills a program, and its children if it leads a process group, as `timeout` does.
    private static func end(_ identifier: Int32) {
        kill(-identifier, SIGKILL)
        kill(identifier, SIGKILL)
    }

    private static func wait(_ identifier: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private static func fill(_ descriptor: CInt, _ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SystemError("keep the picture in memory", errorNumber: errno)
            }
        }
        // The child reads from where this descriptor is.
        lseek(descriptor, 0, SEEK_SET)
    }

    private static func spawn(
        _ arguments: [String], picture: CInt, output: CInt, _ keepsErrors: Bool
    ) throws(SystemError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if keepsErrors {
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, picture, pictureDescriptor)
        // bubblewrap hands on every descriptor that it inherits.
        posix_spawn_file_actions_addclosefrom_np(&actions, pictureDescriptor + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGALRM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // Secrets can be in the environment of this process.
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var identifier: Int32 = 0
        let path = arguments.first ?? ""
        let status = posix_spawn(&identifier, path, &actions, &attributes, &pointers, &environment)
        guard status == 0 else { throw SystemError("start \(path)", errorNumber: status) }
        return identifier
    }

    /// MFD_CLOEXEC of <sys/mman.h>, declared only under _GNU_SOURCE.
    private static let closeOnExec: UInt32 = 1
}
