import Backups
import BeaconModel
import Evidence
import Glibc
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import InteractionStore
@testable import Matcher

/// Backups as an operator makes them, of a store that another process uses.
@Suite("Backups of the store", .timeLimit(.minutes(10))) struct BackupCommandTests {
    private static func option(_ location: StoreLocation) -> [String] {
        switch location {
        case .sqlite(let path): ["--store", path]
        case .postgreSQL(let text): ["--store", text]
        }
    }

    /// An evening after all records.
    private static let now = BadgeRecords.morning.microseconds / 1_000_000 + 20 * 3600

    /// Records of fifty badges at one gateway, whose numbers count from 1.
    private static func records(_ count: Int) throws -> [ReceivedRecord] {
        let stays = (0..<count).map { number in
            let start = Int64(number / 50)
            return BadgeRecords.Stay(badge: UInt16(1 + number % 50), minutes: start...start + 2, metres: 1)
        }
        return try BadgeRecords.records(stays).map { try RecordReader.read($0.encoded(historical: false)) }
    }

    private static func store(_ records: some Collection<ReceivedRecord>, in location: StoreLocation) throws {
        #expect(try InteractionStore.open(location).store(Array(records), now: now).stored == records.count)
    }

    /// Numbers of the interactions that are stored.
    private static func numbers(_ location: StoreLocation) throws -> [Int64] {
        var numbers: [Int64] = []
        try InteractionStore.open(location).database.read { session in
            try session.query("SELECT number FROM interaction ORDER BY number") { numbers.append($0.integer(0)) }
        }
        return numbers
    }

    @Test(arguments: Backend.installed)
    func `A backup made while 10,000 records are stored is one moment of the store, and is restored as it was`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let records = try Self.records(10_000)
            try Self.store(records.prefix(2000), in: location)
            let file = directory.path + "/b.backup"
            let backup = try ChildProcess(TestMatcher.program, ["backup", file] + Self.option(location))
            for start in stride(from: 2000, to: records.count, by: 100) {
                try Self.store(records[start..<start + 100], in: location)
            }
            let (output, errors) = (await backup.output.all(), await backup.errorOutput.all())
            #expect(await backup.exitStatus() == 0, "\(errors)")
            #expect(output.last == "verified" && output.first?.hasPrefix(file + ": ") == true, "\(output)")
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let before = try Self.numbers(location)
            #expect(before == Array(1...Int64(records.count)))
            try await restore(file, to: location, before, records)
        }
    }

    /// Restores a backup in the place of the store, and compares.
    private func restore(
        _ file: String, to location: StoreLocation, _ before: [Int64], _ records: [ReceivedRecord]
    ) async throws {
        let manifest = try StoreBackup.verify(file)
        let rows = manifest.tables.filter { $0.key.hasPrefix("interaction") }.values.reduce(0, +)
        let refused = try await TestMatcher.run(["restore", file] + Self.option(location))
        #expect(refused.status == ExitStatus.usage.rawValue, "\(refused)")
        #expect(refused.errorOutput.contains { $0.contains("is not empty: it has ") }, "\(refused)")
        #expect(try Self.numbers(location) == before)
        let restored = try await TestMatcher.run(["restore", file, "--replace"] + Self.option(location))
        #expect(restored.status == 0, "\(restored)")
        #expect(restored.output.contains { $0.hasPrefix("the former store is kept as ") }, "\(restored)")
        // Records were stored in their order: one moment of the store has the first of them.
        let numbers = try Self.numbers(location)
        #expect(numbers == Array(before.prefix(rows)) && rows >= 2000)
        let store = try InteractionStore.open(location)
        #expect(try store.latestEntry(.madeBackup, file) != nil && store.latestEntry(.restoredBackup, file) != nil)
        // What came later is stored again, and nothing twice.
        let again = try store.store(records, now: Self.now)
        #expect(again.known == rows && again.stored == before.count - rows)
        #expect(try Self.numbers(location) == before)
    }

    @Test(arguments: Backend.installed)
    func `A backup of a store of an earlier version is restored as it is, and upgraded when it is opened`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let tables = try FormerTables(version: 12, isPostgreSQL: backend == .postgreSQL)
            try Self.database(location).write { session in
                for statement in tables.statements + tables.rows(4, readings: 0..<1_000_000) {
                    try session.query(statement, [], keepsStatement: false) { _ in }
                }
            }
            let file = directory.path + "/b.backup"
            let made = try await TestMatcher.run(["backup", file] + Self.option(location))
            #expect(made.status == 0, "\(made)")
            #expect(made.output.first?.contains("schema version 12, ") == true)
            #expect(try Self.database(location).read { try StoreUpgrade.version($0) } == 12)
            let counts = try Self.database(location).read { try StoreTables.counts($0) }
            #expect(try await TestMatcher.run(["reports"] + Self.option(location)).status == 0)
            #expect(try Self.database(location).read { try StoreUpgrade.version($0) } == StoreSchema.version)
            let restored = try await TestMatcher.run(["restore", file, "--replace"] + Self.option(location))
            #expect(restored.status == 0, "\(restored)")
            #expect(try Self.database(location).read { try StoreUpgrade.version($0) } == 12)
            #expect(try Self.database(location).read { try StoreTables.counts($0) } == counts)
            let listed = try await TestMatcher.run(["reports"] + Self.option(location))
            #expect(listed.errorOutput.contains { $0.hasPrefix("upgraded the store from schema version 12") })
        }
    }

    private static func database(_ location: StoreLocation) throws -> any SQLDatabase {
        switch location {
        case .sqlite(let path): try SQLiteDatabase(path: path, creating: true)
        case .postgreSQL(let connection): try PostgreSQLDatabase(connection)
        }
    }

    @Test(arguments: Backend.installed)
    func `A backup is not restored while another process uses the store`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let file = directory.path + "/b.backup"
            try Self.store(Self.records(1), in: location)
            #expect(try await TestMatcher.run(["backup", file] + Self.option(location)).status == 0)
            func refuse() async throws {
                let refused = try await TestMatcher.run(["restore", file, "--replace"] + Self.option(location))
                #expect(refused.status == ExitStatus.unavailable.rawValue, "\(refused)")
                #expect(refused.errorOutput.contains { $0.contains("uses the store") }, "\(refused)")
            }
            // One that only has it open, as a standby has.
            let store = try InteractionStore.open(location)
            try await refuse()
            withExtendedLifetime(store) {}
            try await TestBroker.with { broker in
                let matcher = try TestMatcher(
                    TestMatcher.configuration(location, port: broker.port, in: directory))
                #expect(await matcher.waitUntilStoring())
                try await refuse()
                #expect(await matcher.stop() == 0)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A backup that is cut off, changed or another file is refused, and the store stays`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let file = directory.path + "/b.backup"
            try Self.store(Self.records(1), in: location)
            #expect(try await TestMatcher.run(["backup", file] + Self.option(location)).status == 0)
            let bytes = try FileContents.read(file, limit: 100_000_000)
            var changed = bytes
            changed[bytes.count / 3] ^= 1
            let files = [
                ("cut", Array(bytes.dropLast(1))), ("half", Array(bytes.prefix(bytes.count / 2))), ("empty", []),
                ("foreign", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 5000)),
                ("changed", changed),
            ]
            for (name, contents) in files {
                let path = try directory.write(name, contents)
                for command in [["backup", "--verify", path], ["restore", path, "--replace"] + Self.option(location)] {
                    let result = try await TestMatcher.run(command)
                    #expect(result.status == ExitStatus.data.rawValue, "\(name): \(result)")
                    let text = name == "changed" ? "its checksum is wrong" : "is not a backup of beacon-matcher"
                    #expect(result.errorOutput.contains { $0.contains(text) }, "\(name): \(result)")
                }
            }
            #expect(try Self.numbers(location) == [1])
            let sound = try await TestMatcher.run(["backup", "--verify", file])
            #expect(sound.status == 0 && sound.output.last?.hasPrefix("verified: ") == true, "\(sound)")
        }
    }

    @Test func `A backup of a later version is refused with what to install`() async throws {
        let directory = try TemporaryDirectory()
        let location = StoreLocation.sqlite(directory.path + "/s.sqlite")
        let file = directory.path + "/b.backup"
        try Self.store(Self.records(1), in: location)
        #expect(try await TestMatcher.run(["backup", file] + Self.option(location)).status == 0)
        var manifest = try StoreBackup.verify(file)
        let copy = try FileContents.read(file, limit: 100_000_000).prefix(manifest.bytes)
        manifest.schemaVersion = 17
        manifest.program = "7.8.9"
        _ = try directory.write("later", Array(copy) + BackupTrailer.encode(manifest))
        let result = try await TestMatcher.run(
            ["restore", directory.path + "/later", "--replace"] + Self.option(location))
        #expect(result.status == ExitStatus.configuration.rawValue, "\(result)")
        #expect(result.errorOutput.contains { $0.contains("install beacon-matcher 7.8.9 or a later version") })
    }

    @Test func `A file is replaced only with --force, and a backup that fails leaves none`() async throws {
        let directory = try TemporaryDirectory()
        let location = StoreLocation.sqlite(directory.path + "/s.sqlite")
        _ = try InteractionStore.open(location)
        let file = try directory.write("b.backup", "mine")
        let refused = try await TestMatcher.run(["backup", file] + Self.option(location))
        #expect(refused.status == ExitStatus.usage.rawValue && refused.errorOutput.contains { $0.contains("--force") })
        #expect(try FileContents.read(file, limit: 100) == Array("mine".utf8))
        let missing = try await TestMatcher.run(["backup", file, "--force", "--store", directory.path + "/none"])
        #expect(missing.status == ExitStatus.unavailable.rawValue, "\(missing)")
        #expect(try FileContents.read(file, limit: 100) == Array("mine".utf8))
        #expect(directory.names.filter { $0.contains("partial") } == [])
        #expect(try await TestMatcher.run(["backup", file, "--force"] + Self.option(location)).status == 0)
        #expect(try await TestMatcher.run(["backup", "--verify", file]).status == 0)
    }

    @Test func `A damaged store is replaced, and kept with all its files`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let file = directory.path + "/b.backup"
        try Self.store(Self.records(1), in: .sqlite(path))
        #expect(try await TestMatcher.run(["backup", file, "--store", path]).status == 0)
        _ = try directory.write("s.sqlite", [UInt8](repeating: 0x55, count: 20_000))
        _ = try directory.write("s.sqlite-wal", "log")
        let result = try await TestMatcher.run(["restore", file, "--replace", "--store", path])
        #expect(result.status == 0, "\(result)")
        let kept = directory.names.filter { $0.hasPrefix("s.sqlite.before-") }
        #expect(kept.count == 2 && kept.contains { $0.hasSuffix("-wal") }, "\(directory.names)")
        #expect(try Self.numbers(.sqlite(path)) == [1])
    }

    @Test func `Subjects that were erased after the backup are counted, because they are back`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let file = directory.path + "/b.backup"
        try Self.store(Self.records(1), in: .sqlite(path))
        #expect(try await TestMatcher.run(["backup", file, "--store", path]).status == 0)
        let erased = try await TestMatcher.run(["erase", BadgeRecords.badge(1), "--yes", "--store", path])
        #expect(erased.status == 0, "\(erased)")
        let result = try await TestMatcher.run(["restore", file, "--replace", "--store", path])
        #expect(
            result.errorOutput.contains {
                $0.hasPrefix("warning: a subject was erased after the backup was made, and is back")
            }, "\(result)")
    }
}
