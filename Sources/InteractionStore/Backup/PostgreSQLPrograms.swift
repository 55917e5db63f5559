import BeaconModel
import Glibc
import OperatorText
import SystemIO

/// The programs of PostgreSQL that make and read archives. Passwords are in their environment, never in arguments.
struct PostgreSQLPrograms {
    private let connection: (variables: [String: String], rest: String)
    /// Maximum length of what is kept of error messages.
    private static let longestWords = 16_384

    /// - Throws: `StoreError` if the connection string has a secret that cannot be passed.
    init(_ connectionString: String) throws(StoreError) {
        connection = try PostgreSQLConnection.environment(connectionString)
    }

    /// Returns the path of a program.
    ///
    /// - Throws: `StoreError` if it is not installed.
    static func find(_ name: String) throws(StoreError) -> String {
        let directories = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        for directory in directories + ["/usr/bin"] where access(directory + "/" + name, X_OK) == 0 {
            return directory + "/" + name
        }
        throw StoreError(
            "\(name) is not installed: it is needed for backups of a store in PostgreSQL",
            remedy: "sudo apt install postgresql-client; its version must not be older than the server's",
            exitStatus: .unavailable)
    }

    /// Writes tables of a schema to an archive, as of a snapshot.
    ///
    /// - Parameter report: called with the number of bytes written so far.
    func dump(_ tables: [String], of schema: String, snapshot: String, to path: String, _ report: (Int) -> Void) throws
    {
        let program = try Self.find("pg_dump")
        let patterns = tables.map { "--table=\(Self.quoted(schema)).\(Self.quoted($0))" }
        var pipes = ChildDescriptors()
        let words = try pipes.pipe()
        var child = ChildProgram(
            [
                program, "--format=custom", "--no-owner", "--no-privileges", "--no-password", "--file=\(path)",
                "--snapshot=\(snapshot)",
            ] + destination + patterns)
        prepare(&child, words: words.writing)
        let identifier = try child.start()
        pipes.release(words.writing)
        let said = Self.words(from: words.reading) { report(Self.size(of: path)) }
        try Self.expectSuccess(of: "pg_dump", ChildProgram.wait(for: identifier), said)
    }

    /// Returns the tables whose rows an archive has.
    static func tables(inArchive path: String) throws -> Set<String> {
        let program = try find("pg_restore")
        var pipes = ChildDescriptors()
        let (output, words) = (try pipes.pipe(), try pipes.pipe())
        var child = ChildProgram([program, "--list", path])
        child.hasEnvironment = true
        child.give(.descriptor(output.writing), as: STDOUT_FILENO)
        child.give(.descriptor(words.writing), as: STDERR_FILENO)
        let identifier = try child.start()
        pipes.release(output.writing)
        pipes.release(words.writing)
        var list: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while list.count < 64 << 20 {
            let count = read(output.reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            list += buffer[0..<count]
        }
        let said = Self.words(from: words.reading) {}
        try expectSuccess(of: "pg_restore --list", ChildProgram.wait(for: identifier), said)
        var tables: Set<String> = []
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            // 3360; 0 16402 TABLE DATA public interaction_20000 owner
            let fields = line.split(separator: " ")
            guard !line.hasPrefix(";"), fields.count >= 7, fields[3] == "TABLE", fields[4] == "DATA" else { continue }
            tables.insert(String(fields[fields.count - 2]))
        }
        return tables
    }

    /// Runs the contents of an archive in a database, between other statements, all in one transaction.
    func load(_ path: String, after prelude: String, before conclusion: String) throws {
        let (restore, psql) = (try Self.find("pg_restore"), try Self.find("psql"))
        var pipes = ChildDescriptors()
        let (script, words) = (try pipes.pipe(), try pipes.pipe())
        let first = try pipes.memory("prelude", Array(prelude.utf8))
        let last = try pipes.memory("conclusion", Array(conclusion.utf8))
        var reader = ChildProgram([restore, "--no-owner", "--no-privileges", "--file=-", path])
        reader.hasEnvironment = true
        reader.give(.descriptor(script.writing), as: STDOUT_FILENO)
        reader.give(.descriptor(words.writing), as: STDERR_FILENO)
        // If the archive ends too early, the conclusion fails, and nothing is committed.
        var loader = ChildProgram(
            [
                psql, "--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--single-transaction",
                "--output=/dev/null", "--file=/dev/fd/5", "--file=-", "--file=/dev/fd/6",
            ] + destination)
        loader.give(.descriptor(script.reading), as: STDIN_FILENO)
        loader.give(.descriptor(first), as: 5)
        loader.give(.descriptor(last), as: 6)
        prepare(&loader, words: words.writing)
        let loading = try loader.start()
        let reading: Int32
        do {
            reading = try reader.start()
        } catch {
            kill(loading, SIGKILL)
            _ = ChildProgram.wait(for: loading)
            throw error
        }
        for descriptor in [script.reading, script.writing, words.writing] { pipes.release(descriptor) }
        let said = Self.words(from: words.reading) {}
        let statuses = (ChildProgram.wait(for: loading), ChildProgram.wait(for: reading))
        try Self.expectSuccess(of: "psql", statuses.0, said)
        try Self.expectSuccess(of: "pg_restore", statuses.1, said)
    }

    private var destination: [String] { connection.rest.isEmpty ? [] : ["--dbname=\(connection.rest)"] }

    private func prepare(_ child: inout ChildProgram, words: CInt) {
        child.hasEnvironment = true
        child.variables = connection.variables
        child.give(.nowhere, as: STDOUT_FILENO)
        child.give(.descriptor(words), as: STDERR_FILENO)
    }

    /// Returns a name as SQL has it, and as a pattern that matches this name alone.
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Reads error messages until all programs have closed them.
    ///
    /// - Parameter tick: called several times a second.
    private static func words(from descriptor: CInt, _ tick: () -> Void) -> String {
        var words: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let ready = try? waitUntilReady(descriptor, for: .readable, wakeup: nil, timeout: .milliseconds(200))
            guard let ready else { break }
            tick()
            if ready.readiness.isEmpty { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            words = Array((words + buffer[0..<count]).suffix(longestWords))
        }
        return String(decoding: words, as: UTF8.self)
    }

    private static func expectSuccess(of name: String, _ status: Int32, _ said: String) throws(StoreError) {
        if status == 0 { return }
        let lines = said.split(separator: "\n").map(String.init)
        let reason = lines.first { $0.contains("error") || $0.contains("ERROR") } ?? lines.first ?? "status \(status)"
        throw StoreError(
            "\(name) failed: \(reason.shown(upTo: 300))",
            remedy: said.contains("version mismatch")
                ? "install the postgresql-client of the server's version"
                : said.contains("No space left") ? "free space on the disk" : nil)
    }
}
