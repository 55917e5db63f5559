import Evidence
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import InteractionStore
@testable import MatcherIntegrationTests

/// Programs that upgrade, back up or restore a store, and are killed with -9 at any moment.
@Suite("Upgrades and restorations that are killed", .timeLimit(.minutes(10))) struct StoreUpgradeKillTests {
    private static let readings =
        ReadingKey.first(ofDay: FormerTables.day)..<ReadingKey.first(ofDay: FormerTables.day + 1)

    private static func option(_ location: StoreLocation) -> [String] {
        switch location {
        case .sqlite(let path): ["--store", path]
        case .postgreSQL(let text): ["--store", text]
        }
    }

    private static func database(_ location: StoreLocation) throws -> any SQLDatabase {
        switch location {
        case .sqlite(let path): try SQLiteDatabase(path: path, creating: true)
        case .postgreSQL(let connection): try PostgreSQLDatabase(connection)
        }
    }

    /// A store of version 8 with some thousand exposures and notices, which version 9 changes one by one.
    private static func makeFormer(_ location: StoreLocation, _ tables: FormerTables) throws -> [String: Int] {
        let database = try database(location)
        try database.write { session in
            for statement in tables.statements + tables.rows(5, readings: readings) + FormerTables.notices(1500) {
                try session.query(statement, [], keepsStatement: false) { _ in }
            }
        }
        return try database.read { try StoreTables.counts($0) }
    }

    private static func tables(_ location: StoreLocation) throws -> FormerTables {
        if case .postgreSQL = location { return try FormerTables(version: 8, isPostgreSQL: true) }
        return try FormerTables(version: 8, isPostgreSQL: false)
    }

    private static func state(_ location: StoreLocation) throws -> (version: Int64?, counts: [String: Int]) {
        try database(location).read { (try StoreUpgrade.version($0), try StoreTables.counts($0)) }
    }

    /// Runs a command, and kills it after a part of the time.
    private static func run(_ arguments: [String], killedAfter time: Duration) async throws {
        let start = ContinuousClock.now
        let process = try ChildProcess(TestMatcher.program, arguments)
        try await Task.sleep(until: start + time)
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
    }

    @Test(arguments: Backend.installed)
    func `An upgrade killed with -9 at any moment leaves the former store, and the next start upgrades it`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("upgrades that are killed")
        // How long it takes here, undisturbed.
        var length = Duration.zero
        try await backend.with { location, _, _ in
            _ = try Self.makeFormer(location, try Self.tables(location))
            let start = ContinuousClock.now
            #expect(try await TestMatcher.run(["reports"] + Self.option(location)).status == 0)
            length = ContinuousClock.now - start
        }
        try await backend.with { location, _, directory in
            let former = try Self.makeFormer(location, try Self.tables(location))
            for _ in 0..<TestScale.amount(4, full: 60) {
                try await Self.run(
                    ["reports"] + Self.option(location),
                    killedAfter: length * Double.random(in: 0.05...1, using: &random))
                let (version, counts) = try Self.state(location)
                if version == StoreSchema.version { break }
                #expect(version == 8 && counts == former, random.comment)
            }
            let last = try await TestMatcher.run(["reports"] + Self.option(location))
            #expect(last.status == 0, "\(last)")
            let (version, counts) = try Self.state(location)
            #expect(version == StoreSchema.version)
            for (table, rows) in former { #expect(counts[table] == rows, "\(table); \(random.comment)") }
            #expect(try InteractionStore.open(location).notices().count == 1500)
            if case .sqlite(let path) = location {
                #expect(try IntegrityCheck.damage(of: path, in: directory.path) == nil, random.comment)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Of programs that start at once one upgrades, and the others wait for it`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            _ = try Self.makeFormer(location, try Self.tables(location))
            let results = try await withThrowingTaskGroup(of: (status: Int32, errorOutput: [String]).self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let result = try await TestMatcher.run(["reports"] + Self.option(location))
                        return (result.status, result.errorOutput)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.allSatisfy { $0.status == 0 }, "\(results)")
            let lines = results.flatMap(\.errorOutput)
            #expect(lines.count { $0.hasPrefix("upgraded the store from schema version 8") } == 1, "\(lines)")
            #expect(lines.count { $0.contains("step 1 of 8") } == 1, "\(lines)")
        }
    }

    @Test(arguments: Backend.installed)
    func `A restoration killed with -9 at any moment leaves the former store or the restored one`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("restorations that are killed")
        try await backend.with { location, _, directory in
            let tables = try Self.tables(location)
            let backedUp = try Self.makeFormer(location, tables)
            let file = directory.path + "/b.backup"
            #expect(try await TestMatcher.run(["backup", file] + Self.option(location)).status == 0)
            // The store goes on, so that the two differ.
            _ = try Self.database(location).write { try $0.execute("DELETE FROM notice WHERE name <> 'p100'") }
            var former = try Self.state(location).counts
            let start = ContinuousClock.now
            #expect(try await TestMatcher.run(["restore", file, "--replace"] + Self.option(location)).status == 0)
            let length = ContinuousClock.now - start
            #expect(try Self.state(location).counts == backedUp)
            for round in 0..<TestScale.amount(3, full: 40) {
                // What is left of the round before can be in its way, until PostgreSQL ends one of the two.
                let isChanged = await eventually {
                    do {
                        _ = try Self.database(location).write {
                            try $0.execute("DELETE FROM notice WHERE name <> 'p100'")
                        }
                        former = try Self.state(location).counts
                        return true
                    } catch {
                        return false
                    }
                }
                #expect(isChanged, "round \(round); \(random.comment)")
                try await Self.run(
                    ["restore", file, "--replace"] + Self.option(location),
                    killedAfter: length * Double.random(in: 0.05...1, using: &random))
                // The programs of PostgreSQL go on without it for a moment.
                let isWhole = await eventually {
                    guard let counts = try? Self.state(location).counts else { return false }
                    return counts == former || counts == backedUp
                }
                #expect(isWhole, "round \(round); \(random.comment)")
            }
            let isRestored = try await eventually {
                try await TestMatcher.run(["restore", file, "--replace"] + Self.option(location)).status == 0
            }
            #expect(isRestored, random.comment)
            #expect(try Self.state(location).counts == backedUp, random.comment)
            #expect(!directory.names.contains { $0.contains(".restoring") })
        }
    }

    @Test(arguments: Backend.installed)
    func `A backup killed with -9 at any moment leaves none, or a whole one, and the next succeeds`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("backups that are killed")
        try await backend.with { location, _, directory in
            _ = try Self.makeFormer(location, try Self.tables(location))
            let file = directory.path + "/b.backup"
            let start = ContinuousClock.now
            #expect(try await TestMatcher.run(["backup", file] + Self.option(location)).status == 0)
            let length = ContinuousClock.now - start
            for _ in 0..<TestScale.amount(2, full: 40) {
                unlink(file)
                try await Self.run(
                    ["backup", file] + Self.option(location),
                    killedAfter: length * Double.random(in: 0.05...1, using: &random))
                guard access(file, F_OK) == 0 else { continue }
                #expect(throws: Never.self, random.comment) { try StoreBackup.verify(file) }
            }
            let last = try await TestMatcher.run(["backup", file, "--force"] + Self.option(location))
            #expect(last.status == 0, "\(last)")
            #expect(throws: Never.self) { try StoreBackup.verify(file) }
            #expect(!directory.names.contains { $0.contains(".partial") })
        }
    }
}
