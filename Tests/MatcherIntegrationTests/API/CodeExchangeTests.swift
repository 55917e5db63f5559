import InteractionStore
import Matching
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Exchange of verification codes", .timeLimit(.minutes(10))) struct CodeExchangeTests {
    /// 2026-11-01, in days since 1970.
    private static let test: Int64 = 20_758

    @Test(arguments: [false, true])
    func `A report with what a code is exchanged for is confirmed, and has the officer's days`(
        isLong: Bool
    ) async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let code = try api.verificationCode(isLong: isLong, test: Self.test, onset: Self.test - 2)
            let exchanged = try await api.exchange(code, for: [ann.identity])
            #expect(exchanged.status == 200, "\(exchanged.text)")
            let token = try exchanged.member("verification")
            let answer = try await api.post("/v1/reports", api.reportBody(ann, verification: token))
            #expect(try answer.status == 201 && answer.member("counts") == "true", "\(answer.text)")
            let report = try #require(try api.store.use { try $0.reports(since: 0).first })
            #expect(report.positive.reportType == .confirmed)
            #expect(report.positive.test == Self.test && report.positive.onset == Self.test - 2)
            // A token counts once, as each does.
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 409)
        }
    }

    @Test func `A verification is for the subjects for which the code was exchanged, and for ten minutes`()
        async throws
    {
        try await TestAPI.with { api in
            let (ann, eve) = (try await api.newPhone(), try await api.newPhone())
            let token = try await api.exchange(api.verificationCode(), for: [ann.identity]).member("verification")
            #expect(try await api.post("/v1/reports", api.reportBody(eve, verification: token)).status == 403)
            api.clock.withLock { $0 += CodeAuthority.lifetime }
            let late = try await api.post("/v1/reports", api.reportBody(ann, verification: token))
            #expect(late.status == 403 && late.text.contains("has expired"), "\(late.text)")
            #expect(try api.reports() == 0)
        }
    }

    @Test func `A code is for all devices of a person, written as a report writes them`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            let code = try api.verificationCode()
            let exchanged = try await api.post(
                "/v1/codes/exchange",
                #"{"code":"\#(code)","subjects":[{"kind":"phone","id":"\#(ann.id)"},"#
                    + #"{"kind":"badge","id":"\#(badge.id.uppercased())"}]}"#)
            let token = try exchanged.member("verification")
            let body =
                #"{"subjects":[{"kind":"phone","id":"\#(ann.id)","secret":"\#(ann.secret)"},"#
                + #"{"kind":"badge","id":"\#(badge.id)","secret":"\#(api.secrets.secret(of: badge))"}],"#
                + #""verification":"\#(token)"}"#
            let answer = try await api.post("/v1/reports", body)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test func `Eight devices with the longest names fit into a verification`() async throws {
        try await TestAPI.with { api in
            let names = (0..<CodeAuthority.mostSubjects).map { String(repeating: "\\", count: 127) + "\($0)" }
            let subjects = try names.map { try #require(SubjectIdentity(kind: "phone", id: $0)) }
            let token = try await api.exchange(api.verificationCode(), for: subjects).member("verification")
            let own = zip(names, subjects).map { name, subject in
                let id = name.replacing("\\", with: "\\\\")
                return #"{"kind":"phone","id":"\#(id)","secret":"\#(api.secrets.secret(of: subject))"}"#
            }
            let answer = try await api.post(
                "/v1/reports", #"{"subjects":[\#(own.joined(separator: ","))],"verification":"\#(token)"}"#)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test(arguments: Backend.installed)
    func `Wrong, used and expired codes get the same answer`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let ann = try await api.newPhone()
            let (used, expired) = (try api.verificationCode(), try api.verificationCode(validity: 900))
            #expect(try await api.exchange(used, for: [ann.identity]).status == 200)
            api.clock.withLock { $0 += 900 }
            var answers: Set<String> = []
            for code in [used, expired, "0000 0000", "typo", ""] {
                let answer = try await api.exchange(code, for: [ann.identity])
                answers.insert("\(answer.status) \(answer.text)")
            }
            #expect(answers.count == 1 && answers.first?.hasPrefix("403 ") == true, "\(answers)")
            #expect(answers.first?.contains("urn:beacon-matcher:problem:no-such-code") == true)
        }
    }

    @Test func `A mistake in the subjects doesn't use the code up`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let code = try api.verificationCode()
            for subjects in ["", #"{"kind":"badge","id":"x"}"#, #"{"kind":"place","id":"x"}"#] {
                let answer = try await api.post(
                    "/v1/codes/exchange", #"{"code":"\#(code)","subjects":[\#(subjects)]}"#)
                #expect(answer.status == 422, "\(answer.text)")
            }
            let nine = Array(repeating: ann.identity, count: CodeAuthority.mostSubjects + 1)
            #expect(try await api.exchange(code, for: nine).status == 422)
            #expect(try await api.post("/v1/codes/exchange", #"{"code":"\#(code)"}"#).status == 400)
            #expect(try await api.exchange(code, for: [ann.identity]).status == 200)
        }
    }

    @Test(arguments: Backend.installed)
    func `Of two who exchange a code at once one gets a verification`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, eve) = (try await api.newPhone(), try await api.newPhone())
            for _ in 0..<5 {
                let code = try api.verificationCode()
                async let first = api.exchange(code, for: [ann.identity])
                async let second = api.exchange(code, for: [eve.identity])
                let statuses = try await [first.status, second.status]
                #expect(statuses.sorted() == [200, 403])
                // Wrong codes of the hour before don't count any more.
                api.clock.withLock { $0 += CodeTries.period }
            }
        }
    }

    @Test func `Who tries five wrong codes waits for an hour, and others don't`() async throws {
        try await TestAPI.with(isBehindProxy: true) { api in
            let ann = try await api.newPhone()
            for number in 1...CodeTries.perAddress {
                let answer = try await api.exchange("0000 000\(number)", for: [ann.identity], by: "192.0.2.1")
                #expect(answer.status == 403)
            }
            let code = try api.verificationCode(isLong: true)
            let paused = try await api.exchange(code, for: [ann.identity], by: "192.0.2.1")
            #expect(paused.status == 429 && paused.headers["retry-after"] == "\(CodeTries.period)", "\(paused.text)")
            let other = try await api.exchange(api.verificationCode(), for: [ann.identity], by: "192.0.2.2")
            #expect(other.status == 200, "\(other.text)")
            api.clock.withLock { $0 += CodeTries.period }
            let again = try await api.exchange(code, for: [ann.identity], by: "192.0.2.1")
            #expect(again.status == 200, "\(again.text)")
        }
    }

    @Test func `After twenty wrong short codes of all addresses short codes pause, and long ones don't`()
        async throws
    {
        try await TestAPI.with(isBehindProxy: true) { api in
            let ann = try await api.newPhone()
            for number in 0..<CodeTries.inAll {
                let address = "192.0.2.\(number)"
                #expect(try await api.exchange("0000 0000", for: [ann.identity], by: address).status == 403)
            }
            let (short, long) = (try api.verificationCode(validity: 3600), try api.verificationCode(isLong: true))
            let paused = try await api.exchange(short, for: [ann.identity], by: "198.51.100.1")
            #expect(paused.status == 429 && paused.headers["retry-after"] == "\(CodeTries.period)", "\(paused.text)")
            #expect(try await api.exchange(long, for: [ann.identity], by: "198.51.100.1").status == 200)
            api.clock.withLock { $0 += CodeTries.period }
            let next = try api.verificationCode()
            #expect(try await api.exchange(next, for: [ann.identity], by: "198.51.100.1").status == 200)
        }
    }

    @Test func `A code is in no row of a store and in no entry of the audit`() async throws {
        try await TestAPI.with { api in
            let code = try api.verificationCode()
            let digits = code.filter(\.isNumber)
            let entries = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
            #expect(entries.map(\.action) == [.issuedCodes] && entries.first?.name == "Olga")
            #expect(entries.allSatisfy { !($0.object + $0.detail).contains(digits) })
            guard case .sqlite(let path) = api.location else { return }
            for file in [path, path + "-wal"] {
                let bytes = (try? FileContents.read(file, limit: 100_000_000)) ?? []
                #expect(!String(decoding: bytes, as: UTF8.self).contains(digits))
            }
        }
    }
}

extension TestAPI {
    /// Issues a code as a health officer does.
    func verificationCode(
        isLong: Bool = false, test: Int64 = 20_758, onset: Int64? = nil, validity: Int64 = 1800
    ) throws -> String {
        let codes = VerificationCodes(test: test, onset: onset, isLong: isLong, validity: validity)
        let officer = Account(issuer: "https://login.example", subject: "olga", name: "Olga", roles: [.officer])
        let now = clock.withLock { $0 }
        let policy = policy
        let issued = try store.use { try codes.issue(by: officer, in: $0, policy: policy, now: now) }
        return try #require(issued.first)
    }

    /// - Parameter client: for whom a proxy says that it asks.
    func exchange(_ code: String, for subjects: [SubjectIdentity], by client: String? = nil) async throws -> Answer {
        let names = subjects.map { subject in
            let id = subject.id.replacing("\\", with: "\\\\")
            return #"{"kind":"\#(subject.kind)","id":"\#(id)"}"#
        }
        return try await post(
            "/v1/codes/exchange", #"{"code":"\#(code)","subjects":[\#(names.joined(separator: ","))]}"#, for: client)
    }
}
