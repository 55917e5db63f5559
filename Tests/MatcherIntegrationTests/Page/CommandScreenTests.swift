import InteractionStore
import MQTTBridge
import Matching
import RecordContract
import SignIn
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// Operators command modules on the page, through a real mosquitto. The gateway has the decisions of the real one.
@Suite("Commands on the page", .timeLimit(.minutes(5))) struct CommandScreenTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let door = ["path": PlayedGateway.path, "module": "door"]

    private func key(_ secret: String = secret) throws -> SigningKey {
        try #require(SiteKey(secret: Array(secret.utf8))).commandKey(PlayedGateway.path)
    }

    /// Runs `body` with a matcher that has heard the gateway.
    private func with(
        _ broker: TestBroker, table: String = "[commands]\nkey-file = \"commands.key\"\n",
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        let publisher = try await PlayedGateway.connect(broker, as: "matcher-notices")
        let sender = CommandSender(publisher: publisher, prefix: "beacons", logger: PlayedGateway.logger)
        await sender.listen()
        let running = Task { await publisher.run() }
        for _ in ModuleCommand.Name.allCases {
            _ = await broker.log(containing: "Sending SUBACK to matcher-notices")
        }
        let result: Result<Void, any Error>
        do {
            try await TestAPI.with(
                configuration: TestAPI.pageConfiguration + table, files: ["commands.key": Self.secret], commands: sender
            ) { api in
                let badge = try #require(
                    SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
                try api.hear(badge, 0...5, sequence: 1)
                let info = #"{"version":"1.4.0","modules":[{"name":"door","state":"advertising"}]}"#
                api.gateways.take(.info(gateway: PlayedGateway.path), Array(info.utf8))
                try await body(api)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        _ = await publisher.finish(within: .seconds(2))
        await running.value
        try result.get()
    }

    private func audit(_ api: TestAPI) throws -> [String] {
        try api.store.use { try $0.audit(before: nil, containing: nil, limit: 100) }
            .map { "\($0.entry.action.rawValue): \($0.entry.object): \($0.entry.detail)" }.reversed()
    }

    @Test("An operator identifies a module, sees the gateway's answer, and the audit has it")
    func identify() async throws {
        try await TestBroker.with { broker in
            try await PlayedGateway.with(broker, key: try key(), words: "the lights <b>flicker</b>") {
                try await with(broker) { api in
                    let browser = try api.browser(.operator)
                    let before = try await browser.get("/gateway?path=campus%2Fmain%2F1%2Feast")
                    #expect(before.text.contains("action=\"/gateway/identify\" data-waiting=\"Waiting for"))
                    #expect(!before.text.contains("sign-command"))
                    let answer = try await browser.post("/gateway/identify", Self.door)
                    #expect(answer.status == 200)
                    #expect(
                        answer.text.contains("role=\"status\">door: the lights &lt;b&gt;flicker&lt;/b&gt;</p>"))
                    #expect(
                        try audit(api) == [
                            "identified module: campus/main/1/east door: asked for",
                            "identified module: campus/main/1/east door: done: the lights <b>flicker</b>",
                        ])
                }
            }
        }
    }

    @Test("A reset is asked for once more before anything is sent") func reset() async throws {
        try await TestBroker.with { broker in
            try await PlayedGateway.with(broker, key: try key()) {
                try await with(broker) { api in
                    let browser = try api.browser(.operator)
                    let question = try await browser.post("/gateway/reset", Self.door)
                    #expect(question.status == 200 && question.text.contains("<h1>Reset door?</h1>"))
                    #expect(try audit(api) == [])
                    let answer = try await browser.post(
                        "/gateway/reset", Self.door.merging(["sure": "yes"]) { $1 })
                    #expect(answer.text.contains("role=\"status\">door: it advertises</p>"))
                    #expect(try audit(api).last == "reset module: campus/main/1/east door: done: it advertises")
                }
            }
        }
    }

    @Test("A gateway with a wrong clock refuses, and the page says what to do") func clock() async throws {
        try await TestBroker.with { broker in
            try await PlayedGateway.with(broker, key: try key(), ahead: .seconds(600)) {
                try await with(broker) { api in
                    let answer = try await api.browser(.operator).post("/gateway/identify", Self.door)
                    #expect(answer.text.contains("role=\"alert\">The gateway did not identify door. It says:"))
                    #expect(answer.text.contains("What to do: Compare the clocks"))
                }
            }
        }
    }

    @Test("A module that the gateway does not have is the gateway's to refuse") func unknownModule() async throws {
        try await TestBroker.with { broker in
            try await PlayedGateway.with(broker, key: try key()) {
                try await with(broker) { api in
                    let answer = try await api.browser(.operator).post(
                        "/gateway/identify", ["path": PlayedGateway.path, "module": "window"])
                    #expect(answer.text.contains("there is no module"))
                    #expect(answer.text.contains("What to do: Look at the inventory"))
                }
            }
        }
    }

    @Test("A gateway with the key of another secret obeys nothing, and the page says so after the wait")
    func otherSecret() async throws {
        try await TestBroker.with { broker in
            let other = try key("another secret of the same length")
            try await PlayedGateway.with(broker, key: other) {
                try await with(broker) { api in
                    let answer = try await api.browser(.operator).post("/gateway/identify", Self.door)
                    #expect(answer.text.contains("role=\"alert\">The gateway did not answer. Meanwhile it refused"))
                    #expect(answer.text.contains("What to do: Create the gateway"))
                }
            }
        }
    }

    @Test("Gateways without a key obey commands that are not signed") func unsigned() async throws {
        try await TestBroker.with { broker in
            try await PlayedGateway.with(broker, key: nil) {
                try await with(broker, table: "[commands]\nsigned = false\n") { api in
                    let answer = try await api.browser(.operator).post("/gateway/identify", Self.door)
                    #expect(answer.text.contains("role=\"status\">door: it advertises</p>"))
                }
            }
        }
    }

    @Test("Nothing is sent to a gateway that has sent no records, or without the table") func refused() async throws {
        try await TestBroker.with { broker in
            let heard = try await broker.subscribe(to: "beacons/v1/#")
            try await with(broker) { api in
                let browser = try api.browser(.operator)
                for path in ["campus/main/1/west", "campus/main/1", "campus/main/1/+", ""] {
                    let answer = try await browser.post("/gateway/identify", ["path": path, "module": "door"])
                    #expect(answer.status == 404, "\(path)")
                }
            }
            try await with(broker, table: "") { api in
                let browser = try api.browser(.operator)
                let answer = try await browser.post("/gateway/identify", Self.door)
                #expect(answer.status == 409 && answer.text.contains("Modules cannot be identified or reset here."))
                let page = try await browser.get("/gateway?path=campus%2Fmain%2F1%2Feast")
                #expect(page.text.contains("sign-command") && !page.text.contains("action=\"/gateway/identify\""))
            }
            try await broker.publish("beacons/v1/end", "end")
            #expect(await heard.first { _ in true }?.contains("beacons/v1/end") == true)
        }
    }
}
