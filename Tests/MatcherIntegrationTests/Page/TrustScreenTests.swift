import Evidence
import InteractionStore
import Matching
import Pages
import RecordContract
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Trust in gateways on the page", .timeLimit(.minutes(10))) struct TrustScreenTests {
    private static let path = "campus/main/1/east"
    private static let page = "/gateway?path=campus%2Fmain%2F1%2Feast"
    private static let stolen = ["path": path, "reason": "stolen <b>"]

    /// Runs `body` with a matcher that has heard the gateway.
    private func with(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 0...5, sequence: 1)
            try await body(api)
        }
    }

    private func audit(_ api: TestAPI) throws -> [String] {
        try api.store.use { try $0.audit(before: nil, containing: nil, limit: 100) }
            .map { "\($0.entry.name) \($0.entry.action.rawValue): \($0.entry.object): \($0.entry.detail)" }.reversed()
    }

    private func revoked(_ api: TestAPI) throws -> Set<String> { try api.store.use { try $0.revokedGateways() } }

    @Test("A gateway's page says how far its records are stored, and which are accepted") func state() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            #expect(
                try await browser.get(Self.page).text.contains(
                    "<dt>Latest stored record (start/number)</dt><dd>not known</dd>"))
            // The gateway holds nothing before its first record.
            _ = try api.store.use {
                try $0.settle(Self.path, below: RecordPosition(boot: 1, sequence: 1), now: morning)
            }
            let shown = try await browser.get(Self.page)
            #expect(shown.text.contains("<dt>Latest stored record (start/number)</dt><dd>1/1</dd>"))
            #expect(shown.text.contains("<dd>signed or not: the configuration has no [signing]</dd>"))
            #expect(shown.text.contains("beacon-matcher gateways forget \(Self.path)"))
        }
    }

    @Test("A gateway is revoked after a reason and a question, and its records are rejected from then on")
    func revoke() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let question = try await browser.post("/gateway/revoke", Self.stolen)
            #expect(question.status == 200 && question.text.contains("<h1>Revoke this gateway?</h1>"))
            #expect(question.text.contains("Records of \(Self.path) are rejected from now on."))
            #expect(try revoked(api).isEmpty)
            let answer = try await browser.post("/gateway/revoke", Self.stolen.merging(["sure": "yes"]) { $1 })
            #expect(answer.status == 303 && answer.headers["location"] == Self.page + "&done=gateway-revoked")
            #expect(try revoked(api) == [Self.path])
            #expect(try audit(api) == ["Olga Officer revoked gateway: \(Self.path): stolen <b>"])
            let shown = try await browser.get(Self.page)
            #expect(
                shown.text.contains(
                    "Its records are not accepted since Mon 2026-11-02 12:00, by Olga Officer: stolen &lt;b&gt;."))
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/8"))
            try api.hear(badge, 10...15, sequence: 2)
            #expect(try api.store.use { try $0.numbers(of: [badge]) }.isEmpty)
        }
    }

    @Test("Of two operators who revoke at once, the second sees what the first did") func conflict() async throws {
        try await with { api in
            let first = try api.browser(.operator, name: "Otto First")
            let second = try api.browser(.operator, name: "Olga Second")
            let fields = Self.stolen.merging(["sure": "yes"]) { $1 }
            #expect(try await first.post("/gateway/revoke", fields).status == 303)
            let late = try await second.post(
                "/gateway/revoke", fields.merging(["reason": "lost"]) { $1 })
            #expect(late.status == 409)
            #expect(
                late.text.contains(
                    "Somebody else revoked this gateway in the meantime: the reason is theirs. You have changed nothing."
                ))
            #expect(late.text.contains("by Otto First: stolen &lt;b&gt;."))
            #expect(try audit(api).count == 1)
        }
    }

    @Test("A double click on the revocation is answered as one click") func doubleClick() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let fields = Self.stolen.merging(["sure": "yes"]) { $1 }
            for _ in 0..<2 {
                let answer = try await browser.post("/gateway/revoke", fields)
                #expect(answer.status == 303 && answer.headers["location"] == Self.page + "&done=gateway-revoked")
            }
            #expect(try audit(api).count == 1)
            let other = try api.browser(.operator, name: "Otto Other")
            #expect(try await other.post("/gateway/revoke", fields).status == 409)
            #expect(
                try await browser.post("/gateway/revoke", fields.merging(["reason": "lost"]) { $1 }).status == 409)
            api.clock.withLock { $0 += 61 }
            #expect(try await browser.post("/gateway/revoke", fields).status == 409)
        }
    }

    @Test("A gateway is restored after a question, once") func restore() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            _ = try await browser.post("/gateway/revoke", Self.stolen.merging(["sure": "yes"]) { $1 })
            let since = try #require(
                try api.store.use { try $0.gatewayStates() }.compactMap { $0.revocation?.since }.first)
            let fields = ["path": Self.path, "since": "\(since)"]
            let question = try await browser.post("/gateway/restore", fields)
            #expect(question.text.contains("Records that arrived while it was revoked stay lost."))
            #expect(try revoked(api) == [Self.path])
            let sure = fields.merging(["sure": "yes"]) { $1 }
            let answer = try await browser.post("/gateway/restore", sure)
            #expect(answer.status == 303 && answer.headers["location"] == Self.page + "&done=gateway-restored")
            #expect(try revoked(api).isEmpty)
            let again = try await browser.post("/gateway/restore", sure)
            #expect(again.status == 409 && again.text.contains("Somebody else decided about this gateway"))
            #expect(try audit(api).last == "Olga Officer restored gateway: \(Self.path): ")
        }
    }

    @Test("Without a reason, a known gateway, the role or the token, nothing is revoked") func refused() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let fields = Self.stolen.merging(["sure": "yes"]) { $1 }
            let silent = try await browser.post("/gateway/revoke", fields.merging(["reason": " "]) { $1 })
            #expect(silent.status == 422 && silent.text.contains("Write why. The reason is shown with your name."))
            let unknown = try await browser.post(
                "/gateway/revoke", fields.merging(["path": "campus/main/1/none"]) { $1 })
            #expect(unknown.status == 404)
            #expect(try await api.browser(.officer).post("/gateway/revoke", fields).status == 403)
            #expect(try await browser.post("/gateway/revoke", fields.merging(["token": "x"]) { $1 }).status == 403)
            #expect(try revoked(api).isEmpty && audit(api).isEmpty)
        }
    }
}
