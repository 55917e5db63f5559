import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore

/// `configure` and `confirm`, as they arrive.
@Suite struct RolloutCommandTests {
    private static let noon = RolloutFixture.noon
    private static let topics = Topics(
        prefix: "beacons", place: Place(site: "s", building: "b", floor: "1", gateway: "g"))

    private func message(_ configuration: String = "a = 1\n", trial: Int = 60) throws -> ConfigureMessage {
        ConfigureMessage(
            revision: try ConfigurationRevision("4f2c9a1").orThrow, configuration: configuration, trial: trial,
            correlation: "c", at: Self.noon)
    }

    private func read(_ message: ConfigureMessage) -> Result<RemoteCommand.Request, RemoteCommand.Refusal> {
        RemoteCommand.read(name: "configure", JSON.encode(message))
    }

    private func refusal(_ name: String, _ payload: [UInt8]) -> String? {
        guard case .failure(let refusal) = RemoteCommand.read(name: name, payload) else { return nil }
        return refusal.text
    }

    @Test func `A configuration of 64 KiB arrives as it was sent`() throws {
        let text = String(repeating: "# \"\\\t\n", count: 65_536 / 6) + "#\n#\n"
        #expect(text.utf8.count == ConfigureMessage.longestConfiguration)
        let message = try message(text, trial: 3600)
        let key = try SiteKey(secret: Array(0..<32)).orThrow.commandKey("s/b/1/g")
        let payload = message.encoded(for: Self.topics.command(named: "configure"), key: key)
        #expect(payload.count <= ConfigureMessage.longest)
        let request = try RemoteCommand.read(name: "configure", payload).get()
        #expect(
            request.command
                == .configure(try RolloutFixture.document(text), seconds: 3600))
        #expect(request.correlation == "c" && request.at == Self.noon.rfc3339)
    }

    @Test func `A longer configuration, a wrong digest and a wrong duration are refused`() throws {
        let long = try message(String(repeating: "#", count: ConfigureMessage.longestConfiguration + 1))
        #expect(throws: RemoteCommand.Refusal.self) { _ = try read(long).get() }
        var altered = try message()
        altered.configuration += "b = 2\n"
        #expect(refusal("configure", JSON.encode(altered)) == "the digest is not that of the configuration")
        for seconds in [0, 9, 3601, .max] {
            #expect(throws: RemoteCommand.Refusal.self) { _ = try read(message(trial: seconds)).get() }
        }
    }

    @Test(
        "What is malformed is refused",
        arguments: [
            "", "{}", "[]", "{", #"{"revision":"../x"}"#, #"{"digest":7}"#, #"{"configuration":"a","revision":"x"}"#,
            #"{"trial":1e99}"#,
        ])
    func malformed(payload: String) {
        #expect(refusal("configure", Array(payload.utf8)) != nil)
        #expect(refusal("confirm", Array(payload.utf8)) != nil)
    }

    @Test func `An unknown key is named, and so are those that there are`() throws {
        let digest = String(repeating: "a", count: 64)
        let text = refusal("confirm", Array(#"{"digest":"\#(digest)","trial":60}"#.utf8))
        #expect(text?.contains("trial") == true && text?.contains("correlation, at, digest, tag") == true)
    }

    @Test func `Without a trial's duration the default holds`() throws {
        let digest = ConfigurationDigest(of: Array("a".utf8))
        let payload = #"{"revision":"r","digest":"\#(digest)","configuration":"a"}"#
        let request = try RemoteCommand.read(name: "configure", Array(payload.utf8)).get()
        #expect(request.command == .configure(try RolloutFixture.document("a", revision: "r"), seconds: 300))
    }

    @Test func `A gateway without a key refuses, and says why`() throws {
        var admission = CommandAdmission(topics: Self.topics, prefix: "beacons/v1", rules: CommandRules())
        let topic = Self.topics.command(named: "configure")
        let decision = admission.take(
            MQTTMessage(topic: topic, payload: JSON.encode(try message())), now: .seconds(100), wall: Self.noon)
        guard case .answered(let reply, _) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(!reply.ok && reply.text.contains("commands.key-file"))
        #expect(admission.counts.refused == 1 && admission.counts.carriedOut == 0)
    }

    @Test func `A signed configuration is obeyed once, and not for another gateway or command`() throws {
        var rules = CommandRules()
        rules.key = try SiteKey(secret: Array(0..<32)).orThrow.commandKey("s/b/1/g")
        var admission = CommandAdmission(topics: Self.topics, prefix: "beacons/v1", rules: rules)
        let topic = Self.topics.command(named: "configure")
        let payload = try message(String(repeating: "#", count: 60_000)).encoded(
            for: topic, key: try rules.key.orThrow)
        func take(_ payload: [UInt8], _ topic: String, _ now: Duration) -> CommandAdmission.Decision {
            admission.take(MQTTMessage(topic: topic, payload: payload), now: now, wall: Self.noon)
        }
        guard case .carryOut(let order) = take(payload, topic, .seconds(100)) else {
            Issue.record("not obeyed")
            return
        }
        let reply = admission.finish(order, CommandOutcome(ok: true, text: "done"))
        guard case .repeated(let again, _) = take(payload, topic, .seconds(102)) else {
            Issue.record("not repeated")
            return
        }
        #expect(again == reply)
        guard case .answered(let refused, _) = take(payload, Self.topics.command(named: "confirm"), .seconds(104))
        else {
            Issue.record("obeyed as another command")
            return
        }
        #expect(!refused.ok)
        #expect(admission.counts.carriedOut == 1)
    }
}
