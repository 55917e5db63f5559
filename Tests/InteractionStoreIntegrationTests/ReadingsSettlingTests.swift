import Evidence
import InteractionStore
import Matching
import RecordContract
import TestSupport
import TestValues
import Testing

@Suite("Readings that are settled, in time and late", .timeLimit(.minutes(10)))
struct ReadingsSettlingTests: ReadingsSuite {
    @Test(arguments: Backend.installed)
    func `Minutes together are the same before readings are settled and after`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("unsettled and settled")
            _ = try stored(simulation.records(&random), in: store)
            let before = try store.allCompany(simulation.badges)
            #expect(!before.isEmpty, random.comment)
            try settle(store)
            #expect(try store.hasUnsettledReadings(before: now) == false)
            #expect(try store.allCompany(simulation.badges) == before, random.comment)
        }
    }

    // It had been compared with nobody, and nobody was told that there was nothing to compare.
    @Test(arguments: Backend.installed)
    func `A badge that counted as a place's beacon is compared anew, and is with whom it was`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            var random = SeededGenerator("compared anew")
            let records = simulation.records(&random)
            _ = try stored(records, in: store)
            let expected = try store.allCompany(simulation.badges)
            // Not everybody has company in every world.
            let badge = try #require(
                (0..<simulation.badges).compactMap(SyntheticReadings.badge).first { badge in
                    expected.keys.contains { $0.hasPrefix("\(badge) ") }
                }, random.comment)
            var thief = simulation.record(0, 0, 0, [], boot: 2)
            thief.place.beacon = badge.id
            thief.place.key = badge.id
            #expect(try store.store([.readings(thief)], now: now).refusedClaims.isEmpty)
            #expect(try store.fixedBeacons(since: 0) == [badge])
            try settle(store)
            #expect(try store.allCompany(simulation.badges) != expected, random.comment)
            try store.decide(.denied, on: badge.id, now: now)
            let blocks = try store.settledBlocks(heardOf: badge)
            #expect(blocks.count == 3)
            for block in blocks { try store.compareAnew(badge, in: block, now: now) }
            #expect(try store.allCompany(simulation.badges) == expected, random.comment)
        }
    }

    // Two buildings that hear the same people, one with a gateway of many remote receivers.
    @Test(arguments: Backend.installed)
    func `Whoever comes late of whichever building, pairs are in both rows, and as if all had come at once`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("two buildings")
        for _ in 0..<4 {
            let records = SyntheticReadings.ofTwoBuildings(badges: 10, minutes: 9, &random)
            let expected = try await backend.withStore { store in
                _ = try stored(records, in: store)
                return try store.allCompany(10)
            }
            #expect(!expected.isEmpty, random.comment)
            try await backend.withStore { store in
                for record in records.shuffled(using: &random) {
                    _ = try stored([record], in: store)
                    if random.next() % 10 == 0 { try settle(store) }
                }
                try settle(store)
                let company = try store.allCompany(10)
                #expect(company == expected, random.comment)
                for (pair, minutes) in company {
                    let names = pair.split(separator: " ")
                    #expect(company["\(names[1]) \(names[0])"] == minutes, random.comment)
                }
            }
        }
    }

    // Some receivers are deaf for minutes, of which others of their records say later that they weren't.
    @Test(arguments: Backend.installed)
    func `Whoever was deaf, or heard nobody, and says so late, changes what it would have changed in time`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("late silence")
        for _ in 0..<4 {
            var records = SyntheticReadings.ofTwoBuildings(badges: 8, minutes: 6, &random)
            var sequence: UInt64 = 0
            for index in records.indices where random.next() % 2 == 0 {
                if random.next() % 3 == 0 { records[index].subjects = [] }
                records[index].listened = 2
                var silent = records[index]
                sequence += 1
                silent.position = .init(boot: 2, sequence: sequence)
                (silent.subjects, silent.listened) = ([], 60)
                if random.next() % 2 == 0 { records.append(silent) }
            }
            let expected = try await backend.withStore { store in
                _ = try stored(records, in: store)
                try settle(store)
                return try store.allCompany(8)
            }
            try await backend.withStore { store in
                for record in records.shuffled(using: &random) {
                    _ = try stored([record], in: store)
                    if random.next() % 5 == 0 { try settle(store) }
                }
                try settle(store)
                #expect(try store.allCompany(8) == expected, random.comment)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A late reading of nobody has nobody compared anew, and one of somebody has`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("nobody heard late")
            _ = try stored(simulation.records(&random), in: store)
            try settle(store)
            let company = try store.allCompany(simulation.badges)
            _ = try stored([simulation.record(0, 9, 3, [])], in: store)
            let silent = try #require(try store.settleReadings(before: now, now: now))
            #expect(silent.blocks == 1 && silent.badgeMinutes == 0, random.comment)
            #expect(try !store.hasUnsettledReadings(before: now))
            #expect(try store.allCompany(simulation.badges) == company, random.comment)
            let badge = try #require(SyntheticReadings.badge(0))
            _ = try stored(
                [simulation.record(0, 9, 4, [.init(identity: badge, count: 50, rssi: -90)])], in: store)
            #expect(try #require(try store.settleReadings(before: now, now: now)).badgeMinutes > 0, random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `The newest quarter of an hour is settled first`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("newest first")
            _ = try stored(simulation.records(&random), in: store)
            for settledAt in [1800, 900, 0] as [Int64] {
                #expect(try store.hasUnsettledReadings(before: SyntheticReadings.morning + settledAt + 900))
                #expect(try store.settleReadings(before: now, now: now)?.blocks == 1)
                let isLeft = settledAt > 0
                #expect(try store.hasUnsettledReadings(before: SyntheticReadings.morning + settledAt + 900) == isLeft)
            }
        }
    }

    // A stolen gateway tells of each quarter of two days what it heard, long after; another is late by one.
    @Test(arguments: Backend.installed)
    func `Quarters that one gateway has compared anew are bounded, and others' don't wait for it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let badge = try #require(SyntheticReadings.badge(0))
            let heard = [ReadingsRecord.Subject(identity: badge, count: 50, rssi: -60)]
            let quarters = 210
            let now = SyntheticReadings.morning + Int64(quarters) * 900 + 7200
            func take(_ records: [ReadingsRecord]) throws {
                #expect(try store.store(records.map { .readings($0) }, now: now).stored == records.count)
            }
            try take((0..<quarters).map { simulation.record(0, 0, 15 * $0, heard) })
            _ = try store.settleAllReadings(before: now, now: now)
            try take((0..<quarters).map { simulation.record(0, 1, 15 * $0, heard) })
            var settled = 0
            while try store.settleReadings(before: now, now: now) != nil { settled += 1 }
            #expect(settled == 96)
            // In the oldest quarter of all, below more than one look looks at.
            try take([simulation.record(0, 2, 0, heard)])
            #expect(try store.settleReadings(before: now, now: now) != nil)
            #expect(try store.settleReadings(before: now, now: now) == nil)
            #expect(try store.hasUnsettledReadings(before: now))
            for hour in 1...2 as ClosedRange<Int64> {
                while try store.settleReadings(before: now, now: now + 3600 * hour) != nil { settled += 1 }
            }
            #expect(settled == quarters - 1)
            #expect(try !store.hasUnsettledReadings(before: now))
        }
    }
}
