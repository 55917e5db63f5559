import Matching
import People
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("Answers to the questionnaire in a store") struct QuestionnaireStoreTests {
    private let now: Int64 = 1_793_620_800
    private let day: Int64 = 86_400

    /// Answers of some days ago.
    private func answered(_ daysAgo: Int64, _ answers: String = "contact=no") -> StoredQuestionnaire {
        let at = now - daysAgo * day
        return StoredQuestionnaire(day: at / day, answers: answers, result: "low", at: at)
    }

    /// Runs `body` with a store whose register has Ann, with two phones, and Ben; both have answered.
    private func with(
        _ backend: Backend, isolation: isolated (any Actor)? = #isolation,
        _ body: (InteractionStore) async throws -> Void
    ) async throws {
        try await backend.withStore { store in
            let people = [
                Person(number: "1", name: "Ann", subjects: [phone("first-device"), phone("second-device")]),
                Person(number: "2", name: "Ben", subjects: [phone("third-device")]),
            ]
            _ = try store.importPeople(people, keepsOthers: false, isTrial: false)
            for number in ["1", "2"] { try store.save(answered(1), number: number) }
            try await body(store)
        }
    }

    @Test("The last answers of a day count, the latest day first", arguments: Backend.installed)
    func saved(backend: Backend) async throws {
        try await backend.withStore { store in
            let (first, second) = (answered(1), answered(0))
            try store.save(second, number: "1")
            try store.save(first, number: "1")
            try store.save(answered(0, "contact=yes"), number: "2")
            #expect(try store.questionnaires(of: "1") == [second, first])
            let again = answered(0, "contact=not-known fever=mild")
            try store.save(again, number: "1")
            #expect(try store.questionnaires(of: "1") == [again, first])
            #expect(try store.questionnaires(of: "2").map(\.answers) == ["contact=yes"])
            #expect(try store.questionnaires(of: "3").isEmpty)
            #expect(try store.erase(number: "1").erased.answers == 2)
            #expect(try store.questionnaires(of: "1").isEmpty)
            #expect(try store.questionnaires(of: "2").count == 1)
        }
    }

    @Test("Answers are kept as long as reports", arguments: Backend.installed)
    func retention(backend: Backend) async throws {
        try await backend.withStore { store in
            for daysAgo in [0, 27, 29] as [Int64] { try store.save(answered(daysAgo), number: "1") }
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: now)
            #expect(try store.questionnaires(of: "1") == [answered(0), answered(27)])
        }
    }

    @Test(
        "Erasing one of a person's devices erases the person's answers, and nobody else's", arguments: Backend.installed
    )
    func erasure(backend: Backend) async throws {
        try await with(backend) { store in
            let erasure = try store.erase(phone("first-device"), now: now)
            #expect(erasure.remaining["questionnaire"] == 0 && erasure.isComplete, "\(erasure)")
            #expect(try store.questionnaires(of: "1").isEmpty)
            #expect(try store.questionnaires(of: "2").count == 1)
        }
    }

    @Test("Whoever is removed from the register has no answers left", arguments: Backend.installed)
    func removal(backend: Backend) async throws {
        try await with(backend) { store in
            _ = try store.removePerson(number: "1")
            #expect(try store.questionnaires(of: "1").isEmpty)
            _ = try store.importPeople(
                [Person(number: "3", name: "Cy", subjects: [])], keepsOthers: false, isTrial: false)
            #expect(try store.questionnaires(of: "2").isEmpty)
        }
    }

    @Test("A notice that says nothing any more has a time of change, too", arguments: Backend.installed)
    func changes(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try store.latestNoticeChange(of: [phone("ben")]) == 0)
            for (content, changed) in [(.days(1), now), (nil, 5)] as [(NoticeContent?, Int64)] {
                try store.database.write { session in
                    try session.execute("DELETE FROM notice")
                    try session.execute(
                        "INSERT INTO notice (kind, name, changed, delivered, seen, stale) "
                            + "VALUES ('phone', 'ben', 5, 0, 0, 1)")
                }
                for stale in try store.staleNotices() { try store.setNotice(content, for: stale, now: now) }
                #expect(try store.latestNoticeChange(of: [phone("ben"), phone("ann")]) == changed)
            }
        }
    }
}
