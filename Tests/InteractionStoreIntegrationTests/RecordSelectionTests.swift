import Evidence
import InteractionStore
import Matching
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import EvidenceTests

@Suite("Records that come again, or contradict each other") struct RecordSelectionTests {
    private let now = morning + 20 * 3600

    /// Name, first and last minute of every stay.
    private func stays(_ store: InteractionStore) throws -> [String] {
        let places = try store.placeNumbers(named: [room.key])
        let stays = try store.stays(at: places, from: .min, to: .max)
        let names = try store.subjects(Set(stays.map(\.subject)))
        return stays.map { stay in
            "\(names[stay.subject]?.id ?? "?") \((stay.start - morning) / 60)-\((stay.end - morning) / 60)"
        }.sorted()
    }

    /// The same records in one batch, and each in one of its own.
    private func batches(_ records: [ReceivedRecord]) -> [[[ReceivedRecord]]] { [[records], records.map { [$0] }] }

    @Test(arguments: Backend.installed)
    func `What is new is told from what was stored already`(backend: Backend) async throws {
        try await backend.withStore { store in
            let started = record(1, "ann", 0...0, number: 7, state: .open)
            let ended = record(3, "ann", 0...20, number: 7)
            let ben = record(2, "ben", 5...10)
            func counts(_ records: [ReceivedRecord]) throws -> [Int] {
                let outcome = try store.store(records, now: now)
                #expect(outcome.refused == [:])
                return [outcome.stored, outcome.known]
            }
            let first = try counts([started, ben, ended])
            #expect(first == [3, 0])
            #expect(try counts([started, ben, ended]) == [0, 3])
            #expect(try counts([started, ended, record(4, "cid", 0...1), ended]) == [1, 3])
            #expect(try counts([record(5, "dan", 0...1), record(5, "dan", 0...1)]) == [1, 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `Of two records with one boot and sequence the first counts, in one batch and in two`(
        backend: Backend
    ) async throws {
        for split in batches([record(1, "ann", 0...20), record(1, "ann", 0...50)]) {
            try await backend.withStore { store in
                var refused = 0
                for batch in split { refused += try store.store(batch, now: now).refused[.contradicting] ?? 0 }
                #expect(refused == 1)
                #expect(try stays(store) == ["ann 0-20"])
            }
        }
    }

    // A third of them had been forgotten: each matcher wrote down what it had read, with its own records beside it.
    @Test(.enabled(if: TestPostgreSQL.isInstalled, "without PostgreSQL"))
    func `Two matchers that divide a gateway's records forget none, and don't wait for each other`() async throws {
        try await Backend.postgreSQL.with { location in
            let now = now
            // It makes the tables.
            let store = try InteractionStore.open(location)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for matcher in 0..<2 {
                    group.addTask {
                        try await DedicatedThread.run(name: "matcher") {
                            Result {
                                let store = try InteractionStore.open(location)
                                var stored = 0
                                for batch in 0..<40 {
                                    let records = (0..<16).map { index in
                                        record(
                                            UInt64(batch * 32 + index * 2 + matcher), "p\(index)", 0...1,
                                            number: Int64(batch * 32 + index * 2 + matcher))
                                    }
                                    stored += try store.store(records, now: now).stored
                                }
                                return stored
                            }
                        }.get()
                    }
                }
                let stored = try await group.reduce(0, +)
                #expect(stored == 1280)
            }
            let others = (0..<1280).map { record(UInt64($0), "p0", 2...3, number: Int64(2000 + $0)) }
            let outcome = try store.store(others, now: now)
            // One of 4096 is taken for the same.
            #expect(outcome.stored == 0 && outcome.refused[.contradicting] ?? 0 >= 1277, "\(outcome)")
        }
    }

    /// A place that names no beacon.
    private func place(_ gateway: String) -> PlaceName {
        PlaceName(key: gateway, site: "campus", building: "main", floor: "1", gateway: gateway)
    }

    // Places of readings and of interactions are written one after the other, so that no order helps.
    @Test(.enabled(if: TestPostgreSQL.isInstalled, "without PostgreSQL"))
    func `A matcher that PostgreSQL ends for the sake of another one stores its records at once`() async throws {
        try await TestPostgreSQL.with { server in
            // The other one's patience is longer, so that it isn't the one that is ended.
            func location(_ patience: String) -> String {
                "\(server.connectionString) options='-c deadlock_timeout=\(patience)'"
            }
            let store = try InteractionStore.open(.postgreSQL(location("3s")))
            func insertion(_ name: String) -> String {
                "INSERT INTO place (name, site, building, floor, gateway, seen) VALUES ('\(name)', '', '', '', '', 0)"
            }
            let statements = [
                "BEGIN", insertion("b"),
                "DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) LOOP "
                    + "PERFORM pg_sleep(0.01); END LOOP; END $$",
                insertion("a"), "COMMIT",
            ]
            let other = try ChildProcess(
                "psql", ["-X", location("60s")] + statements.flatMap { ["-c", $0] })
            #expect(await other.output.first { $0.hasPrefix("INSERT") } != nil)
            let records = [record(1, "ann", 0...1, at: place("a")), record(2, "ben", 0...1, at: place("b"))]
            let outcome = try store.store(records, now: now)
            #expect(outcome.stored == 2)
            #expect(await other.exitStatus() == 0)
            let (_, ended, _) = try await ChildProcess.run(
                "psql",
                [
                    "-X", "-A", "-t", server.connectionString, "-c",
                    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
                ])
            #expect(ended == ["1"])
        }
    }

    // The name is hidden while the store looks it up, and there again when it reads the interactions. Another matcher
    // that stores both at that moment makes the same.
    @Test(.enabled(if: TestPostgreSQL.isInstalled, "without PostgreSQL"))
    func `A record is stored although another matcher stored its subject after the names were looked up`() async throws
    {
        try await TestPostgreSQL.with { server in
            let location = StoreLocation.postgreSQL(server.connectionString)
            let first = try InteractionStore.open(location)
            #expect(try first.store([record(1, "ann", 0...0, number: 7, state: .open)], now: now).stored == 1)
            func psql(_ statements: [String]) throws -> ChildProcess {
                try ChildProcess("psql", ["-X", server.connectionString] + statements.flatMap { ["-c", $0] })
            }
            #expect(try await psql(["UPDATE subject SET name = 'hidden'"]).exitStatus() == 0)
            let other = try psql([
                "BEGIN", "LOCK TABLE taken IN ACCESS EXCLUSIVE MODE", "UPDATE subject SET name = 'ann'",
                "DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) LOOP "
                    + "PERFORM pg_sleep(0.01); END LOOP; END $$",
                "COMMIT",
            ])
            #expect(await other.output.first { $0.hasPrefix("UPDATE") } != nil)
            let second = try InteractionStore.open(location)
            let outcome = try second.store([record(2, "ann", 0...20, number: 7)], now: now)
            #expect(await other.exitStatus() == 0)
            #expect(outcome.stored == 1 && outcome.refused.isEmpty, "\(outcome)")
            #expect(try second.counts().ended == 1)
        }
    }

    // The first interaction's record is the latest of it, then one that a later record has replaced.
    @Test(arguments: Backend.installed)
    func `One boot and sequence on two interactions counts for the first, in one batch and in several`(
        backend: Backend
    ) async throws {
        let ann = record(1, "ann", 0...0, number: 7, state: .open)
        let later = record(2, "ann", 0...20, number: 7)
        for records in [
            [ann, record(1, "ben", 5...10, number: 8)], [ann, later, record(1, "ben", 5...10, number: 8)],
        ]
            as [[ReceivedRecord]]
        {
            for split in batches(records) + [[Array(records.dropLast()), [records[records.count - 1]]]] {
                try await backend.withStore { store in
                    var refused = 0
                    for batch in split { refused += try store.store(batch, now: now).refused[.contradicting] ?? 0 }
                    #expect(refused == 1)
                    #expect(try stays(store).filter { $0.hasPrefix("ben") } == [])
                    // The same records again are known, and the other is refused again.
                    let again = try store.store(records, now: now)
                    #expect(again.stored == 0 && again.known == records.count - 1)
                    #expect(again.refused == [.contradicting: 1])
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Gateways count for themselves, and so do the boots of one`(backend: Backend) async throws {
        try await backend.withStore { store in
            guard case .interaction(var west) = record(1, "cid", 10...20, number: 9) else { return }
            west.gateway = "campus/main/1/west"
            west.origin = "campus/main/1/west/1"
            let records = [
                record(1, "ann", 0...20, number: 7), record(1, "ben", 5...10, number: 8, boot: 2), .interaction(west),
            ]
            let first = try store.store(records, now: now)
            let again = try store.store(records, now: now)
            #expect(first.stored == 3 && again.known == 3)
        }
    }

    // What isn't stored claims nothing: neither its position nor its interaction.
    @Test(arguments: Backend.installed)
    func `A refused record leaves its boot and sequence, and its interaction, to others`(
        backend: Backend
    ) async throws {
        let records = [
            record(1, "ann", 0...20, number: 7), record(2, "ben", 0...20, number: 7),
            record(2, "cid", 0...20, number: 8), record(1, "dan", 5...20, number: 9),
            record(3, "eve", 5...20, number: 9),
        ]
        for split in batches(records) {
            try await backend.withStore { store in
                var stored = 0
                for batch in split { stored += try store.store(batch, now: now).stored }
                #expect(stored == 3)
                #expect(try stays(store) == ["ann 0-20", "cid 0-20", "eve 5-20"])
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `An interaction is found by its id, on whatever day it began and whose ever it is`(
        backend: Backend
    ) async throws {
        let first = record(1, "ann", 0...20, number: 7, state: .open)
        let days: Int64 = 24 * 60
        for (changed, subject) in [
            (3 * days...3 * days + 5, "ann"), (-3 * days ... -3 * days + 5, "ann"), (5...25, "ben"),
            (2 * days...2 * days + 5, "ben"),
        ] as [(ClosedRange<Int64>, String)] {
            let records = [first, record(2, subject, changed, number: 7), record(3, "ann", 0...50, number: 7)]
            for split in batches(records) {
                try await backend.withStore { store in
                    var refused = 0
                    for batch in split {
                        refused += try store.store(batch, now: now + 4 * 86_400).refused[.changed] ?? 0
                    }
                    #expect(refused == 1)
                    #expect(try stays(store) == ["ann 0-50"])
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A record that changes when its interaction began, or whose it is, isn't stored`(
        backend: Backend
    ) async throws {
        let first = record(1, "ann", 30...30, number: 7, state: .open)
        for (changed, subject) in [(0...20, "ann"), (35...40, "ann"), (30...40, "ben")]
            as [(ClosedRange<Int64>, String)]
        {
            let records = [first, record(2, subject, changed, number: 7), record(3, "ann", 30...50, number: 7)]
            for split in batches(records) {
                try await backend.withStore { store in
                    var refused = 0
                    for batch in split { refused += try store.store(batch, now: now).refused[.changed] ?? 0 }
                    #expect(refused == 1)
                    #expect(try stays(store) == ["ann 30-50"])
                    #expect(try store.counts().interactions == 1)
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `However records are divided into batches, the same is stored`(backend: Backend) async throws {
        var random = SeededGenerator("batches")
        for _ in 0..<TestScale.amount(1, full: 10) {
            let records = (0..<120).map { _ in
                let start = Int64.random(in: 0...2, using: &random) * 10
                let length = Int64.random(in: 0...9, using: &random)
                return record(
                    UInt64.random(in: 1...12, using: &random), "p\(Int.random(in: 0...2, using: &random))",
                    start...start + length, number: Int64.random(in: 1...6, using: &random))
            }
            var found: [[String]] = []
            for size in [120, 7, 1] {
                try await backend.withStore { store in
                    for start in stride(from: 0, to: records.count, by: size) {
                        _ = try store.store(Array(records[start..<min(start + size, records.count)]), now: now)
                    }
                    found.append(try stays(store))
                }
            }
            #expect(found[0] == found[1], random.comment)
            #expect(found[0] == found[2], random.comment)
        }
    }
}
