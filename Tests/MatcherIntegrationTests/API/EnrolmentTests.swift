import InteractionStore
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore

@Suite("Phones that enrol with a code", .timeLimit(.minutes(10))) struct EnrolmentTests {
    private static func enrol(twenty code: String, _ api: TestAPI) async throws -> [TestAPI.Answer] {
        try await withThrowingTaskGroup(of: TestAPI.Answer.self) { group in
            for _ in 0..<20 {
                group.addTask { try await api.post("/v1/phones", #"{"code":"\#(code)"}"#) }
            }
            var answers: [TestAPI.Answer] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }

    @Test(arguments: Backend.installed)
    func `Of twenty who try a code of one use at once one enrols, and the others learn nothing`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend, phones: PhoneSettings()) { api in
            let answers = try await Self.enrol(twenty: try api.enrolmentCode(), api)
            #expect(answers.count { $0.status == 201 } == 1)
            let expired = try api.enrolmentCode(expires: morning)
            var refusals = Set(answers.filter { $0.status != 201 }.map { "\($0.status) \($0.text)" })
            for code in [expired, "0000-0000-0000", "typo", ""] {
                let answer = try await api.post(
                    "/v1/phones", #"{"code":"\#(code)"}"#, secret: TestAPI.operatorToken)
                refusals.insert("\(answer.status) \(answer.text)")
            }
            #expect(refusals.count == 1 && refusals.first?.hasPrefix("403 ") == true, "\(refusals)")
            #expect(try await api.post("/v1/phones", secret: TestAPI.operatorToken).status == 400)
            // What isn't valid any more is deleted.
            _ = try api.store.use { try $0.enforceRetention(days: 14, now: morning + 2 * 86_400) }
            #expect(try api.store.use { try $0.enrolments() }.map(\.codes) == [1])
        }
    }

    @Test func `Who guesses codes waits, and others enrol`() async throws {
        try await TestAPI.with(phones: PhoneSettings(), isBehindProxy: true) { api in
            let common = try api.enrolmentCode(uses: 100)
            func statuses(_ code: String, _ count: Int, _ address: String) async throws -> [Int: Int] {
                var statuses: [Int: Int] = [:]
                for _ in 0..<count {
                    let answer = try await api.post("/v1/phones", #"{"code":"\#(code)"}"#, for: address)
                    statuses[answer.status, default: 0] += 1
                }
                return statuses
            }
            // A whole building is one address: who has a code isn't counted.
            #expect(try await statuses(common, 80, "192.0.2.1") == [201: 80])
            // On a slow machine many tries come back between the guesses.
            var mostGuesses = EnrolmentTries.perAddress * 10
            while mostGuesses > 0, try await statuses("0000-0000-0000", 1, "192.0.2.2") != [429: 1] { mostGuesses -= 1 }
            #expect(mostGuesses > 0)
            #expect(try await statuses(common, 1, "192.0.2.3") == [201: 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `A code enrols as many phones as it may, however many ask at once`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            try store.issue(codes: ["A"], label: "one", uses: 3, expires: 100, now: 0)
            let enrolled = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await DedicatedThread.run(name: "enrolment") {
                            Result {
                                let store = try InteractionStore.open(location)
                                return try (0..<3).count { _ in try store.enrol(code: "A", now: 50) }
                            }
                        }.get()
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(enrolled == 3)
            try store.issue(codes: ["B"], label: "two", uses: 3, expires: 100, now: 0)
            #expect(try !store.enrol(code: "B", now: 100) && !store.enrol(code: "C", now: 50))
            #expect(try store.enrolments().map(\.used) == [3, 0])
            #expect(try store.revokeEnrolment(label: "two") == 1)
            #expect(try !store.enrol(code: "B", now: 50))
        }
    }

    @Test(arguments: Backend.installed)
    func `Codes are revoked only as they were seen, and those that have expired leave nobody`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            try store.issue(codes: ["A"], label: "one", uses: 3, expires: 100, now: 0)
            try store.issue(codes: ["B"], label: "one", uses: 2, expires: 200, now: 0)
            try store.issue(codes: ["C"], label: "two", uses: 1, expires: 300, now: 0)
            #expect(try store.enrol(code: "B", now: 50))
            for (now, left) in [(50, [4, 1]), (100, [1, 1]), (200, [0, 1])] as [(Int64, [Int])] {
                #expect(try store.enrolments(now: now).map(\.left) == left, "\(now)")
            }
            let seen = try #require(try store.enrolment(label: "one", now: 50))
            #expect(seen.codes == 2 && seen.uses == 5 && seen.used == 1 && seen.expires == 200)
            try store.issue(codes: ["D"], label: "one", uses: 1, expires: 150, now: 50)
            let entry = AuditEntry(
                at: 50, account: Account(issuer: "i", subject: "s", name: "Olga", roles: []), action: .revokedEnrolment,
                object: "one")
            let present = try store.enrolment(label: "one", now: 50)
            #expect(try store.revokeEnrolment(label: "one", seen: seen.extent, audit: entry) == .changed(present))
            #expect(try store.revokeEnrolment(label: "one", seen: nil, audit: entry) == .changed(present))
            #expect(try store.audit(limit: 10).isEmpty)
            #expect(try store.revokeEnrolment(label: "one", seen: present?.extent, audit: entry) == .done)
            #expect(try store.revokeEnrolment(label: "one", seen: present?.extent, audit: entry) == .changed(nil))
            #expect(try store.enrolments().map(\.label) == ["two"])
            #expect(try store.audit(limit: 10).count == 1)
        }
    }
}
