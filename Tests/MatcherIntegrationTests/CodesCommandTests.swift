import BeaconModel
import Glibc
import HTTPClient
import InteractionStore
import OperatorText
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Verification codes from the command line", .timeLimit(.minutes(10))) struct CodesCommandTests {
    private struct Issued: Decodable { var code: String, expires: String }
    private struct Counted: Decodable, Equatable { var short: Int, long: Int }
    private struct Exchanged: Decodable { var verification: String }

    /// The present day in UTC, as text.
    private static var today: String { DayText.text(WallClock.now().microseconds / 1_000_000 / 86_400) }

    @Test func `Codes are issued and counted, and each can be taken`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = ["--store", path]
        _ = try InteractionStore.open(.sqlite(path))
        let issue = ["codes", "issue", "--test-date", Self.today]
        let plain = try await TestMatcher.run(issue + ["--count", "3"] + store)
        #expect(plain.status == 0 && plain.output.count == 3, "\(plain)")
        #expect(plain.output.allSatisfy { VerificationCode($0)?.form == .short && $0.count == 9 })
        #expect(plain.errorOutput.contains { $0.hasPrefix("valid until ") })
        let long = try await TestMatcher.run(issue + ["--long", "--json", "--onset", Self.today] + store)
        let issued = try long.output.map { try JSON.decode(Issued.self, from: Array($0.utf8)) }
        #expect(issued.compactMap { VerificationCode($0.code)?.form } == [.long], "\(long)")
        let counted = try await TestMatcher.run(["codes", "count"] + store)
        #expect(counted.output == ["3 short and 1 long codes are open"])
        let document = try await TestMatcher.run(["codes", "count", "--json"] + store)
        let counts = try document.output.map { try JSON.decode(Counted.self, from: Array($0.utf8)) }
        #expect(counts == [Counted(short: 3, long: 1)])
        let opened = try InteractionStore.open(.sqlite(path))
        let secret = try opened.secret(CodeAuthority.hashingSecret)
        for text in plain.output + issued.map(\.code) {
            let code = try #require(VerificationCode(text))
            #expect(try opened.take(code: code.hash(secret: secret), now: 0) != nil)
        }
        // The audit has who issued them, and not the codes.
        let audit = try opened.audit(limit: 10).map { $0.entry }
        #expect(audit.map(\.action) == [.issuedCodes, .issuedCodes])
        #expect(audit.map(\.detail) == ["1 long, test \(Self.today)", "3 short, test \(Self.today)"])
    }

    @Test(arguments: [
        ["--valid", "14m"], ["--valid", "61m"], ["--valid", "30m", "--long"], ["--count", "0"], ["--count", "101"],
        ["--test-date", "2099-01-01"], ["--test-date", "yesterday"], ["--test-date", "2020-01-01"],
        ["--onset", "2099-01-01"],
    ])
    func `Codes that nobody could use are not issued`(options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = try InteractionStore.open(.sqlite(path))
        let day = options.contains("--test-date") ? [] : ["--test-date", Self.today]
        let refused = try await TestMatcher.run(["codes", "issue"] + day + options + ["--store", path])
        #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
        let open = try store.openCodes(now: 0)
        #expect(open.short == 0 && open.long == 0)
    }

    @Test func `A daemon takes codes of the command line, also after its configuration was read again`()
        async throws
    {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let file = try TestMatcher.configuration(
                .sqlite(directory.path + "/store.sqlite"), port: broker.port,
                more: "[api]\nlisten = \"127.0.0.1:0\"\n[phones]\nenrolment = \"open\"", in: directory)
            let matcher = try TestMatcher(file)
            let listening = await matcher.process.errorOutput.first { $0.contains("API listening") }
            let port = String(try #require(listening?.split(separator: "port=").last?.prefix { $0.isNumber }))
            for isReloaded in [false, true] {
                if isReloaded {
                    matcher.process.send(signal: SIGHUP)
                    #expect(await matcher.said("configuration reloaded"))
                }
                try await report(port, file)
            }
            let wrong = try await post(
                port, "codes/exchange", #"{"code":"0000 0000","subjects":[{"kind":"phone","id":"a"}]}"#)
            #expect(wrong.status == 403)
            let line = await matcher.process.errorOutput.first { $0.contains("access refused") }
            #expect(line?.contains("route=POST /v1/codes/exchange") == true, "\(line ?? "-")")
            #expect(line?.contains("0000 0000") == false)
            #expect(await matcher.stop() == 0)
        }
    }

    /// Reports a new phone with a new code.
    private func report(_ port: String, _ file: String) async throws {
        let issued = try await TestMatcher.run(
            ["codes", "issue", "--test-date", Self.today, "--config", file])
        let code = try #require(issued.output.first)
        let id = "phone-\(code.filter(\.isNumber))"
        let told = try await TestMatcher.run(["secret", "phone:\(id)", "--config", file])
        let secret = try #require(told.output.first)
        let exchanged = try await post(
            port, "codes/exchange", #"{"code":"\#(code)","subjects":[{"kind":"phone","id":"\#(id)"}]}"#)
        #expect(exchanged.status == 200)
        let token = try JSON.decode(Exchanged.self, from: exchanged.body).verification
        let report = try await post(
            port, "reports",
            #"{"subjects":[{"kind":"phone","id":"\#(id)","secret":"\#(secret)"}],"verification":"\#(token)"}"#)
        let text = String(decoding: report.body, as: UTF8.self)
        #expect(report.status == 201 && text.contains(#""type":"confirmed""#), "\(text)")
    }

    private func post(_ port: String, _ path: String, _ body: String) async throws -> HTTPClient.Response {
        try await TestAPI.client.send(
            HTTPClient.Request(
                "POST", "http://127.0.0.1:\(port)/v1/\(path)",
                headers: [HTTPClient.Header("Content-Type", "application/json")], body: Array(body.utf8)))
    }
}
