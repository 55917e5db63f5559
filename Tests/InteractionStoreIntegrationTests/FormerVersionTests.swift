import Evidence
import Matching
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import BeaconModel
@testable import InteractionStore

/// Stores that each earlier version created, with rows in all tables.
@Suite("Stores of each earlier version", .timeLimit(.minutes(10))) struct FormerVersionTests {
    /// Locations of a store in one database, one for each version.
    private static func withLocations(
        _ backend: Backend, _ body: (Int, StoreLocation) async throws -> Void
    ) async throws {
        for version in FormerTables.versions {
            guard backend == .sqlite else { continue }
            let directory = try TemporaryDirectory()
            try await body(version, .sqlite(directory.path + "/store.sqlite"))
        }
        guard backend == .postgreSQL else { return }
        try await TestPostgreSQL.with { server in
            for version in FormerTables.versions {
                try PostgreSQLDatabase(server.connectionString).maintain("CREATE SCHEMA v\(version)")
                try await body(
                    version, .postgreSQL(server.connectionString + " options='-c search_path=v\(version)'"))
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A store of each version has the tables of a new one after the upgrade, with all rows that it had`(
        backend: Backend
    ) async throws {
        var expected: [String]?
        try await backend.with { expected = try InteractionStore.open($0).database.read { try StoreShape.of($0) } }
        try await Self.withLocations(backend) { version, location in
            let tables = try FormerTables(version: version, isPostgreSQL: backend == .postgreSQL)
            let former = try FormerStores.make(tables, at: location, rows: 12)
            var reports: [StoreUpgradeProgress] = []
            let store = try InteractionStore.open(location) { reports.append($0) }
            #expect(try store.database.read { try StoreShape.of($0) } == expected, "version \(version)")
            let rows = try FormerStores.rows(of: tables, store.database)
            for (table, values) in former {
                #expect(Set(values).isSubset(of: Set(rows[table] ?? [])), "\(table) of version \(version)")
            }
            let steps = 16 - version
            #expect(reports.first == .began(from: Int64(version), to: 16) && reports.count == steps + 2)
            guard case .finished(from: Int64(version), to: 16, _)? = reports.last else {
                Issue.record("\(reports)")
                return
            }
            guard case .step(_, number: steps, of: steps, _) = reports[steps] else {
                Issue.record("\(reports)")
                return
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Exposures are found in a store of each version as in a new one with the same interactions`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("stores of earlier versions")
        let interactions = FormerTables.interactions(400, &random)
        let rules = Policy.shippedNames.compactMap { Policy.shipped($0)?.contact }
        func encounters(_ store: InteractionStore) throws -> [Set<[Int64]>] {
            try rules.flatMap { rule in
                try [Int64(1), 2, 3].map { subject in
                    let day = FormerTables.day * 86_400
                    let found = try store.encounters(
                        of: [.init(subject: subject, since: day, until: day + 86_400)], rule: rule)
                    return Set(
                        found.map { encounter in
                            [encounter.positive, encounter.other].flatMap {
                                [$0.start, $0.end, $0.distance?.centimetres ?? -1]
                            }
                        })
                }
            }
        }
        var expected: [Set<[Int64]>] = []
        try await backend.with { location in
            let store = try InteractionStore.open(location)
            let tables = try FormerTables(version: 15, isPostgreSQL: backend == .postgreSQL)
            try store.database.write { session in
                for statement in tables.rows(
                    12, only: ["place", "subject", "neighbour"], readings: FormerStores.readings) + interactions
                { try session.execute(statement) }
            }
            expected = try encounters(store)
        }
        #expect(expected.contains { !$0.isEmpty })
        try await Self.withLocations(backend) { version, location in
            // All of them at higher scales.
            guard [3, 8, 15].contains(version) || TestScale.value > 1 else { return }
            let tables = try FormerTables(version: version, isPostgreSQL: backend == .postgreSQL)
            _ = try FormerStores.make(tables, at: location, rows: 12, more: interactions)
            #expect(try encounters(InteractionStore.open(location)) == expected, "\(version); \(random.comment)")
        }
    }

    @Test(arguments: Backend.installed)
    func `A store of a later version is refused in one sentence with both versions, and not changed`(
        backend: Backend
    ) async throws {
        try await backend.with { location in
            let database = try InteractionStore.open(location).database
            _ = try database.write { session in
                try session.execute("UPDATE schema_version SET version = 17, program = '7.8.9'")
            }
            let before = try database.read { try StoreShape.of($0) }
            let error = #expect(throws: StoreError.self) { try InteractionStore.open(location) }
            #expect(error?.what.contains("schema version 17, made by beacon-matcher 7.8.9; this program") == true)
            #expect(error?.what.contains("knows the versions 3 to 16") == true)
            #expect(
                error?.remedy?.hasPrefix("install beacon-matcher 7.8.9 or a later one, or restore a backup") == true)
            #expect(error?.exitStatus == .configuration)
            #expect(try database.read { try StoreShape.of($0) } == before)
            // A still later version can say it in another way.
            _ = try database.write { try $0.execute("ALTER TABLE schema_version DROP COLUMN program") }
            let other = #expect(throws: StoreError.self) { try InteractionStore.open(location) }
            #expect(other?.remedy?.hasPrefix("install a later version, or restore") == true)
        }
    }

    @Test(arguments: Backend.installed)
    func `A process waits for another one that upgrades, and says so`(backend: Backend) async throws {
        try await backend.with { location in
            let tables = try FormerTables(version: 14, isPostgreSQL: backend == .postgreSQL)
            _ = try FormerStores.make(tables, at: location, rows: 3)
            var lease = try StoreLease.acquire(location, .upgrader)
            #expect(lease != nil)
            var reports: [StoreUpgradeProgress] = []
            let store = try InteractionStore.open(location) { report in
                reports.append(report)
                if report == .waiting { lease = nil }
            }
            #expect(reports.first == .waiting && reports.dropFirst().first == .began(from: 14, to: 16))
            #expect(try store.database.read { try StoreUpgrade.version($0) } == 16)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `A full disk undoes an upgrade, says so, and the next start upgrades`() async throws {
        let disk = try #require(SmallDisk(bytes: 64 << 20))
        let location = StoreLocation.sqlite(disk.directory.path + "/store.sqlite")
        let tables = try FormerTables(version: 8, isPostgreSQL: false)
        let former = try FormerStores.make(tables, at: location, rows: 5, more: FormerTables.notices(5000))
        // Enough to begin, and not enough for the log of the upgrade.
        let space = try #require(FileSystemSpace(holding: disk.directory.path + "/store.sqlite"))
        disk.resize(bytes: space.totalBytes - space.availableBytes + 200_000)
        let error = #expect(throws: StoreError.self) { try InteractionStore.open(location) }
        #expect(error?.what.contains("full") == true, "\(String(describing: error))")
        #expect(
            error?.meaning == "the upgrade was undone: the store has schema version 8 as before, and nothing is lost")
        #expect(error?.remedy?.contains("free space on its disk") == true)
        disk.resize(bytes: 128 << 20)
        let database = try SQLiteDatabase(path: disk.directory.path + "/store.sqlite", creating: false)
        #expect(try database.read { try StoreUpgrade.version($0) } == 8)
        #expect(try FormerStores.rows(of: tables, database) == former)
        #expect(try InteractionStore.open(location).notices().count == 5000)
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `The table of a new day is created while a backup reads all days`() async throws {
        try await Backend.postgreSQL.with { location in
            guard case .postgreSQL(let connection) = location else { return }
            let store = try InteractionStore.open(location)
            let now = FormerTables.day * 86_400
            let reader = try PostgreSQLDatabase(connection)
            try reader.read { session in
                #expect(try session.count("SELECT count(*) FROM interaction") == 0)
                // This would wait for ever for the reader's lock.
                try store.database.write { session in
                    try session.execute("SET LOCAL lock_timeout = '5s'")
                    var partitions = DayPartitions()
                    try partitions.makeInteractions(of: [FormerTables.day, FormerTables.day + 1], session)
                    try partitions.makeReadings(of: [FormerTables.day], session)
                }
            }
            #expect(try store.database.read { try $0.hasTable("interaction_\(FormerTables.day + 1)") })
            #expect(try store.retentionSteps(days: 1, now: now + 10 * 86_400).contains(.day(FormerTables.day)))
        }
    }
}
