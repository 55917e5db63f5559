import Glibc
import InteractionStore
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

/// The program, as it is installed.
struct TestMatcher {
    let process: ChildProcess

    static let program = BuiltProgram.path("beacon-matcher")

    /// A configuration with this store.
    static func configuration(
        _ store: StoreLocation, port: UInt16, more: String = "", in directory: TemporaryDirectory
    ) throws -> String {
        let location =
            switch store {
            case .sqlite(let path): path
            case .postgreSQL(let text): text
            }
        return try directory.write(
            "matcher.toml",
            """
            [store]
            location = "\(location)"

            [mqtt]
            host = "127.0.0.1"
            port = \(port)
            keep-alive = "5s"
            \(more)
            """
                // Programs of tests run beside each other.
                + (more.contains("[metrics]") ? "" : "\n[metrics]\nlisten = \"off\"\n"))
    }

    init(_ configuration: String) throws {
        process = try ChildProcess(Self.program, ["run", "--config", configuration, "--log-level", "info"])
    }

    /// Waits until it says something.
    func said(_ text: String) async -> Bool {
        await process.errorOutput.first { $0.contains(text) } != nil
    }

    func waitUntilStoring() async -> Bool { await said("storing") }

    func kill() async {
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
    }

    /// Ends it in an orderly way.
    func stop() async -> Int32 {
        process.send(signal: SIGTERM)
        return await process.exitStatus()
    }

    static func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(program, arguments)
    }

    /// Imports stays into a new store in a directory.
    ///
    /// - Returns: the options that name the store.
    static func store(_ stays: [BadgeRecords.Stay], in directory: TemporaryDirectory) async throws -> [String] {
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write("records.jsonl", BadgeRecords.lines(stays))
        #expect(try await run(["import", file, "--as-of", "2026-11-02T12:00:00Z"] + store).status == 0)
        return store
    }
}

/// The databases on which the program is tested.
enum Backend: String, CaseIterable {
    case sqlite, postgreSQL

    static var installed: [Backend] { TestPostgreSQL.isInstalled ? allCases : [.sqlite] }

    /// On which tests run that aren't about the database: BEACON_TEST_BACKEND=postgreSQL.
    static let chosen: Backend = {
        guard let name = getenv("BEACON_TEST_BACKEND").map({ String(cString: $0) }) else { return .sqlite }
        guard let backend = Backend(rawValue: name) else { fatalError("BEACON_TEST_BACKEND: sqlite or postgreSQL") }
        return backend
    }()

    /// Runs `body` with an empty database; PostgreSQL can be killed.
    func with<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (StoreLocation, TestPostgreSQL?, TemporaryDirectory) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        switch self {
        case .sqlite: return try await body(.sqlite(directory.path + "/store.sqlite"), nil, directory)
        case .postgreSQL:
            return try await TestPostgreSQL.with {
                try await body(.postgreSQL($0.connectionString), $0, directory)
            }
        }
    }
}

extension InteractionStore {
    /// How many interactions of everybody there are, and how many of them are over.
    static func count(_ location: StoreLocation) throws -> (all: Int, ended: Int) {
        let counts = try open(location).counts()
        return (counts.interactions, counts.ended)
    }

    static func through(_ location: StoreLocation, _ gateway: String) throws -> UInt64? {
        try open(location).progress()[gateway]?.sequence
    }
}
