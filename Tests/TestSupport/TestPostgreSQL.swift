import BeaconModel
import Glibc
import SystemIO

/// Debian's PostgreSQL with a fresh cluster, on a socket in a directory of its own.
package actor TestPostgreSQL {
    /// As libpq takes it.
    package nonisolated var connectionString: String { "host=\(directory.path) dbname=postgres user=postgres" }
    private nonisolated let directory: TemporaryDirectory
    private var process: ChildProcess
    /// How many databases were made.
    private var databases = 0

    /// No test takes the power from the machine: what a killed server has written is in the kernel's cache. Without
    /// waiting for the disk the tests of the store take half as long.
    private static let settings = [
        "listen_addresses=", "fsync=off", "full_page_writes=off", "max_wal_senders=0", "wal_level=minimal",
    ]

    /// Of the installed versions the newest; `nil` without one.
    private static let programs: String? = {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/usr/lib/postgresql/*/bin/postgres", 0, nil, &found) == 0, found.gl_pathc > 0,
            let last = found.gl_pathv[Int(found.gl_pathc) - 1]
        else { return nil }
        return String(String(cString: last).dropLast("/postgres".count))
    }()

    package static var isInstalled: Bool { programs != nil }

    /// A cluster that nobody has used, to be copied: making one takes a second.
    private static let template = Task { () throws -> TemporaryDirectory in
        let directory = try TemporaryDirectory()
        try give(directory.path)
        let arguments = [
            "-D", directory.path + "/data", "-U", "postgres", "-A", "trust", "-N", "--no-locale", "-E", "UTF8",
        ]
        let result = try await run("initdb", arguments)
        guard result.status == 0 else {
            throw SystemError("initdb: \(result.errorOutput.suffix(3))", errorNumber: EINVAL)
        }
        return directory
    }

    /// Runs `body` with a server of its own, which it can kill; ends it afterwards.
    package static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestPostgreSQL) async throws -> Result
    ) async throws -> Result {
        let server = try await started()
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Runs `body` with an empty database of a server that tests share; removes it afterwards. Unlike a server, a
    /// database takes little to make.
    ///
    /// - Parameter body: gets the connection string.
    package static func withDatabase<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let server = try await SharedServer.shared.take()
        do {
            let name = await server.nextDatabase()
            try await server.query("CREATE DATABASE \(name)")
            let result = try await body("host=\(server.directory.path) dbname=\(name) user=postgres")
            // A test that failed leaves its database to the end of the server.
            try await server.query("DROP DATABASE \(name) WITH (FORCE)")
            await SharedServer.shared.giveBack()
            return result
        } catch {
            await SharedServer.shared.giveBack()
            throw error
        }
    }

    fileprivate static func started() async throws -> TestPostgreSQL {
        let directory = try TemporaryDirectory()
        try give(directory.path)
        let copied = try await ChildProcess.run("cp", ["-a", template.value.path + "/data", directory.path + "/data"])
        guard copied.status == 0 else {
            throw SystemError("copy a cluster: \(copied.errorOutput)", errorNumber: EINVAL)
        }
        return try await TestPostgreSQL(directory: directory, process: start(directory.path))
    }

    private func nextDatabase() -> String {
        databases += 1
        return "test\(databases)"
    }

    private nonisolated func query(_ statement: String) async throws {
        let result = try await ChildProcess.run("psql", ["-X", "-q", connectionString, "-c", statement])
        guard result.status == 0 else {
            throw SystemError("\(statement): \(result.errorOutput)", errorNumber: EINVAL)
        }
    }

    private init(directory: TemporaryDirectory, process: ChildProcess) {
        self.directory = directory
        self.process = process
    }

    /// Kills it with -9, and every process of it.
    package func crash() async {
        // Of a stopped process there are no new ones.
        process.send(signal: SIGSTOP)
        let children = process.children
        process.send(signal: SIGKILL)
        for child in children { kill(child, SIGKILL) }
        _ = await process.exitStatus()
        // One that waits for the disk keeps the shared memory, with which no other server starts.
        for child in children { _ = await eventually { !ChildProcess.isRunning(child) } }
    }

    /// Ends it without a checkpoint; unlike after `crash` nothing of its shared memory is left.
    fileprivate func stop() async {
        process.send(signal: SIGQUIT)
        _ = await process.exitStatus()
    }

    /// Starts it again after `crash`.
    package func restart() async throws { process = try await Self.start(directory.path) }

    private static func start(_ path: String) async throws -> ChildProcess {
        let (program, arguments) = command(
            "postgres", ["-D", path + "/data", "-k", path] + settings.flatMap { ["-c", $0] })
        let process = try ChildProcess(program, arguments)
        try await process.errorOutput.waitUntilReady("PostgreSQL", saying: "ready to accept connections")
        return process
    }

    private static func run(
        _ name: String, _ arguments: [String]
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        let (program, arguments) = command(name, arguments)
        return try await ChildProcess.run(program, arguments)
    }

    /// The server doesn't run as root.
    private static func command(_ name: String, _ arguments: [String]) -> (String, [String]) {
        let program = (programs ?? "") + "/" + name
        guard getuid() == 0 else { return (program, arguments) }
        return ("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program] + arguments)
    }

    private static func give(_ path: String) throws {
        guard getuid() == 0, let user = getpwnam("postgres") else { return }
        guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw SystemError("give \(path) to postgres", errorNumber: errno)
        }
    }
}

/// A server that exists while tests use it.
private actor SharedServer {
    static let shared = SharedServer()

    private var users = 0
    private var server: Task<TestPostgreSQL, any Error>?

    func take() async throws -> TestPostgreSQL {
        users += 1
        let starting = server ?? Task { try await TestPostgreSQL.started() }
        server = starting
        do {
            return try await starting.value
        } catch {
            await giveBack()
            throw error
        }
    }

    func giveBack() async {
        users -= 1
        guard users == 0, let ended = server else { return }
        server = nil
        try? await ended.value.stop()
    }
}
