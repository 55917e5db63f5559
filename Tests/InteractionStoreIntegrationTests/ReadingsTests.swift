import Evidence
import InteractionStore
import TestSupport
import TestValues
import Testing

@Suite("Readings in a store", .timeLimit(.minutes(10))) struct ReadingsTests: ReadingsSuite {
    @Test(arguments: Backend.installed)
    func `Records that come twice, late and in any order give the same minutes`(backend: Backend) async throws {
        var random = SeededGenerator("late and twice")
        let records = simulation.records(&random)
        let expected = try await backend.withStore { store in
            _ = try stored(records, in: store)
            try settle(store)
            return try store.allCompany(simulation.badges)
        }
        for _ in 0..<3 {
            let shuffled = (records + records.filter { _ in random.next() % 3 == 0 }).shuffled(using: &random)
            try await backend.withStore { store in
                let cuts = [0, shuffled.count / 3, shuffled.count * 2 / 3, shuffled.count]
                for (start, end) in zip(cuts, cuts.dropFirst()) {
                    _ = try stored(Array(shuffled[start..<end]), in: store, batch: 37)
                    try settle(store)
                }
                #expect(try store.allCompany(simulation.badges) == expected, random.comment)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Of two records that contradict each other the first counts, also after it was settled`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("contradicting")
            let records = simulation.records(&random)
            #expect(try stored(records, in: store).stored == records.count)
            try settle(store)
            let company = try store.allCompany(simulation.badges)
            let again = try stored(records, in: store)
            #expect(again.stored == 0 && again.known == records.count, random.comment)
            let others = records.map { record in
                var record = record
                for index in record.subjects.indices { record.subjects[index].count += 100 }
                return record
            }
            let outcome = try stored(others, in: store)
            let changed = others.count { !$0.subjects.isEmpty }
            // One of 4096 is taken for the same.
            #expect(outcome.stored == 0 && outcome.refused[.contradicting] ?? 0 >= changed - 3, random.comment)
            #expect(try !store.hasUnsettledReadings(before: now))
            #expect(try store.allCompany(simulation.badges) == company, random.comment)
        }
    }

    @Test func `Both databases find the same minutes`() async throws {
        guard Backend.installed.count == 2 else { return }
        var random = SeededGenerator("both databases")
        let records = simulation.records(&random)
        var found: [[String: [Int64: UInt8]]] = []
        for backend in Backend.allCases {
            found.append(
                try await backend.withStore { store in
                    _ = try stored(records.shuffled(using: &random), in: store)
                    try settle(store)
                    return try store.allCompany(simulation.badges)
                })
        }
        #expect(found[0] == found[1], random.comment)
    }

    @Test(arguments: Backend.installed)
    func `A record of two minutes counts in both, also in two blocks`(backend: Backend) async throws {
        try await backend.withStore { store in
            let pair = (0..<2).compactMap(SyntheticReadings.badge).map {
                ReadingsRecord.Subject(identity: $0, count: 100, rssi: -60)
            }
            for receiver in 0..<2 {
                var record = simulation.record(0, receiver, 14, pair)
                record.end = record.start + 120
                record.listened = 120
                _ = try stored([record], in: store)
            }
            try settle(store)
            let minutes = try store.allCompany(2).values.first?.keys.sorted()
            let start = SyntheticReadings.morning + 14 * 60
            #expect(minutes == [start, start + 60])
        }
    }

    @Test(arguments: Backend.installed)
    func `A record of the past that isn't kept, and of the future, is refused`(backend: Backend) async throws {
        try await backend.withStore { store in
            var old = simulation.record(0, 0, 0, [])
            old.start -= 20 * Self.day
            old.end -= 20 * Self.day
            var early = simulation.record(0, 0, 1, [])
            early.start += 3 * Self.day
            early.end += 3 * Self.day
            let outcome = try store.store([.readings(old), .readings(early)], now: now)
            #expect(outcome.refused == [.expired: 1, .future: 1] && outcome.stored == 0)
        }
    }

    @Test func `A store of version 4 gets tables for readings`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            _ = try InteractionStore.open(location)
            for table in ["receiver", "reading", "receiver_doubt", "listening", "vectors", "company"] {
                try RawSQLite.execute("DROP TABLE \(table)", path)
            }
            for statement in RawSQLite.withoutTrust + RawSQLite.withDocuments { try RawSQLite.execute(statement, path) }
            try RawSQLite.execute("UPDATE schema_version SET version = 4", path)
            let store = try InteractionStore.open(location)
            var random = SeededGenerator("upgraded")
            let records = simulation.records(&random)
            #expect(try stored(records, in: store).stored == records.count)
        }
    }
}
