import Evidence
import InteractionStore
import Matching
import TestSupport
import TestValues
import Testing

@Suite("Readings that are erased or grow old", .timeLimit(.minutes(10))) struct ReadingsDeletionTests: ReadingsSuite {
    @Test(arguments: Backend.installed)
    func `Erasure finds what is left of whom, also beside records of years ago`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("erased beside old records")
            var old = simulation.record(0, 0, 0, [])
            old.start -= 500 * Self.day
            old.end -= 500 * Self.day
            _ = try store.store([.readings(old)], now: old.end)
            _ = try store.settleAllReadings(before: now, now: now)
            _ = try stored(simulation.records(&random), in: store)
            try settle(store)
            let pair = try #require(try store.allCompany(simulation.badges).keys.min(), random.comment)
            let subject = try #require(SubjectIdentity(String(pair.prefix { $0 != " " })))
            let number = try #require(try store.numbers(of: [subject])[subject])
            #expect(try store.erase(subject, now: now).minutes > 0)
            let others = (0..<simulation.badges).compactMap(SyntheticReadings.badge).filter { $0 != subject }
            for other in try store.numbers(of: others).values {
                let company = try store.company(of: [.init(subject: other, since: 0, until: now)])
                #expect(company.minutes[number] == nil, random.comment)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Somebody who is erased is in nobody's company, and doesn't come back`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("erased")
            let records = simulation.records(&random)
            let half = records.count / 2
            _ = try stored(Array(records[..<half]), in: store)
            try settle(store)
            _ = try stored(Array(records[half...]), in: store)
            let company = try store.allCompany(simulation.badges)
            let pair = try #require(company.keys.min(), random.comment)
            let name = try #require(pair.split(separator: " ").first.map(String.init))
            let subject = try #require(SubjectIdentity(name))
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.minutes > 0 && erasure.remaining.values.allSatisfy { $0 == 0 }, "\(erasure)")
            let left = company.filter { !$0.key.split(separator: " ").contains(Substring(name)) }
            #expect(try store.allCompany(simulation.badges) == left, random.comment)
            // The broker still has some of the records.
            _ = try stored(records, in: store)
            try settle(store)
            #expect(try store.allCompany(simulation.badges) == left, random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `Readings have days of their own after which they are deleted`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("retention")
            _ = try stored(simulation.records(&random), in: store)
            try settle(store)
            let later = now + 4 * Self.day
            _ = try store.enforceRetention(days: 14, readingDays: 5, now: later)
            #expect(try !store.allCompany(simulation.badges).isEmpty)
            let deletion = try store.enforceRetention(days: 14, readingDays: 3, now: later)
            #expect(deletion.readings == simulation.badges * 3, random.comment)
            #expect(try store.allCompany(simulation.badges).isEmpty)
        }
    }
}
