package import BeaconModel
import CLinux
import Glibc

/// Program that this process starts, with descriptors of its own and default signal handling.
package struct ChildProgram {
    /// Path and arguments.
    package var arguments: [String]
    private var descriptors: [(number: CInt, source: Source)] = []
    /// Number from which on the program has no descriptor; `nil` if it inherits those that do not close on exec.
    package var closedFrom: CInt?
    /// Whether the program gets the environment of this process, in which secrets can be, or an empty one. It never gets
    /// what the service manager has told this process alone.
    package var hasEnvironment = false
    /// Variables of the program's environment, which replace those of this process. Other users cannot see them, unlike
    /// arguments.
    package var variables: [String: String] = [:]
    /// Whether the program gets a session without the terminal of this process, which alone handles Ctrl-C then.
    package var hasOwnSession = false

    /// What a descriptor of the program is.
    package enum Source: Sendable {
        /// Descriptor of this process, from 10 on: a lower one could be replaced before it is used.
        case descriptor(CInt)
        /// Output that nobody reads.
        case nowhere
    }

    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Gives the program a descriptor, in the place of an earlier one of this number. Its standard input is empty
    /// otherwise.
    ///
    /// - Parameter number: number that the program has for it, below 10.
    package mutating func give(_ source: Source, as number: CInt) {
        descriptors.append((number: number, source: source))
    }

    /// Starts the program.
    ///
    /// - Returns: its process ID, for which the caller has to wait.
    package func start() throws(SystemError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (number, source) in descriptors {
            switch source {
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            case .nowhere: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
            }
        }
        if let closedFrom { posix_spawn_file_actions_addclosefrom_np(&actions, closedFrom) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGALRM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, hasOwnSession ? flags | Self.newSession : flags)
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let path = arguments.first ?? ""
        var identifier: Int32 = 0
        var environment = environment.map { strdup($0) } + [nil]
        defer { for pointer in environment { free(pointer) } }
        let status = posix_spawn(&identifier, path, &actions, &attributes, &pointers, &environment)
        guard status == 0 else { throw SystemError("start \(path)", errorNumber: status) }
        return identifier
    }

    /// The variables of the program, as `NAME=value`.
    private var environment: [String] {
        var inherited: [String] = []
        var next = environ
        while hasEnvironment, let variable = next.pointee {
            if !Self.isOwn(variable) { inherited.append(String(cString: variable)) }
            next += 1
        }
        return inherited.filter { variables[String($0.prefix { $0 != "=" })] == nil }
            + variables.map { "\($0)=\($1)" }.sorted()
    }

    /// Waits for the end of a program.
    ///
    /// - Returns: exit status; 128 plus the signal number for a program that was killed; -1 if it was not started by
    ///   this process.
    package static func wait(for identifier: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Variables of the environment by which a program could speak to the service manager in the name of this one.
    private static let own = ["NOTIFY_SOCKET=", "WATCHDOG_USEC=", "WATCHDOG_PID="]

    /// Returns whether a variable, as `NAME=value`, is for this process alone.
    package static func isOwn(_ variable: UnsafePointer<CChar>) -> Bool {
        own.contains { strncmp(variable, $0, $0.utf8.count) == 0 }
    }

    /// POSIX_SPAWN_SETSID of <spawn.h>, declared only under _GNU_SOURCE.
    private static let newSession: Int16 = 0x80
}
