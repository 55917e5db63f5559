import BeaconModel
import CLinux
import Glibc
import SystemIO

/// A program that a test runs: its output line by line, its signals, its end.
package final class ChildProcess: Sendable {
    package let identifier: Int32
    /// Lines of standard output, for one reader.
    package let output: LineStream
    /// Lines of standard error, for one reader.
    package let errorOutput: LineStream
    private let ended: Task<Int32, Never>

    /// - Parameters:
    ///   - executable: a path, or a name that is looked up in PATH and the directories of servers.
    ///   - environment: variables beside those of the tests, or instead of them.
    package init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let output = try Pipe()
        let errorOutput = try Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writeEnd, 1)
        posix_spawn_file_actions_adddup2(&actions, errorOutput.writeEnd, 2)
        // A test runner may have made its own signals ignored; a child inherits that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // Threads of Swift's pool block signals; a child inherits that too.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let path = Self.find(executable)
        var pointers = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var variables = Self.variables(environment).map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        var identifier: Int32 = 0
        let status = posix_spawn(&identifier, path, &actions, &attributes, &pointers, &variables)
        close(output.writeEnd)
        close(errorOutput.writeEnd)
        guard status == 0 else { throw SystemError("start \(path)", errorNumber: status) }
        self.identifier = identifier
        self.output = try LineStream(descriptor: output.readEnd)
        self.errorOutput = try LineStream(descriptor: errorOutput.readEnd)
        ended = Task { [identifier] in
            (try? await DedicatedThread.run(name: "wait") {
                var status: Int32 = 0
                while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
                // 128 and the signal's number, as shells say it.
                return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }) ?? -1
        }
    }

    package func send(signal number: Int32) { kill(identifier, number) }

    /// Processes that it has started and that are there still.
    package var children: [Int32] {
        let path = "/proc/\(identifier)/task/\(identifier)/children"
        let text = (try? FileContents.read(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    /// Whether a process is there, and not only its exit status.
    package static func isRunning(_ identifier: Int32) -> Bool {
        guard let text = try? FileContents.read("/proc/\(identifier)/stat", limit: 4096) else { return false }
        // After the name, which may have parentheses in it.
        return String(decoding: text, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") == false
    }

    /// Waits for the end; 128 and the number of the signal for a program that was killed.
    package func exitStatus() async -> Int32 { await ended.value }

    /// Runs a program to its end; gives everything that it printed.
    package static func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        let process = try ChildProcess(executable, arguments, environment: environment)
        async let output = process.output.all()
        async let errorOutput = process.errorOutput.all()
        return (await process.exitStatus(), await output, await errorOutput)
    }

    /// Whether a program is on this machine.
    package static func exists(_ executable: String) -> Bool { access(find(executable), X_OK) == 0 }

    /// The environment of the tests with `changes`.
    private static func variables(_ changes: [String: String]) -> [String] {
        var inherited: [String] = []
        var next = environ
        while let variable = next.pointee {
            inherited.append(String(cString: variable))
            next += 1
        }
        return inherited.filter { changes[String($0.prefix { $0 != "=" })] == nil } + changes.map { "\($0)=\($1)" }
    }

    /// The path of a program, looked up in PATH and the directories of servers.
    package static func find(_ executable: String) -> String {
        if executable.contains("/") { return executable }
        let directories = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        return (directories + ["/usr/local/sbin", "/usr/sbin", "/sbin"]).map { $0 + "/" + executable }
            .first { access($0, X_OK) == 0 } ?? executable
    }
}

private struct Pipe {
    let readEnd: CInt
    let writeEnd: CInt

    init() throws(SystemError) {
        var ends: [2 of CInt] = [-1, -1]
        let status = withUnsafeMutablePointer(to: &ends) {
            $0.withMemoryRebound(to: CInt.self, capacity: 2) { pipe2($0, O_CLOEXEC) }
        }
        guard status == 0 else { throw SystemError("create a pipe", errorNumber: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }
}
