import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore

@Suite("Signed commands") struct CommandSignaturesTests {
    private static let topics = Topics(
        prefix: "beacons", place: Place(site: "s", building: "b", floor: "1", gateway: "g"))
    private static let site = SiteKey(secret: Array(0..<32))
    private static let noon = Timestamp(microseconds: 1_793_620_800 * 1_000_000)
    private var admission: CommandAdmission
    private let key: SigningKey
    private var now: Duration = .seconds(1000)
    private var wall = noon

    init() throws {
        key = try #require(Self.site).commandKey("s/b/1/g")
        var rules = CommandRules()
        rules.key = key
        admission = CommandAdmission(topics: Self.topics, prefix: "beacons/v1", rules: rules)
    }

    private func message(_ name: String, _ text: String, key: SigningKey? = nil, signedFor: String? = nil)
        -> MQTTMessage
    {
        let topic = Self.topics.command(named: name)
        return MQTTMessage(
            topic: topic,
            payload: MessageTag.adding(
                to: Array(text.utf8), key: key ?? self.key, for: .command(topic: signedFor ?? topic)))
    }

    private func reset(_ correlation: String, at: Timestamp) -> MQTTMessage {
        message("reset", #"{"module":"door","correlation":"\#(correlation)","at":"\#(at.rfc3339)"}"#)
    }

    private mutating func take(_ message: MQTTMessage) -> CommandAdmission.Decision {
        admission.take(message, now: now, wall: wall)
    }

    /// Lets the time go by in which nobody is told anything about refusals.
    private mutating func refusal(_ message: MQTTMessage) -> String? {
        now += .seconds(2)
        wall = wall + .seconds(2)
        guard case .answered(let reply, _) = take(message), !reply.ok else { return nil }
        return reply.text
    }

    private mutating func isCarriedOut(_ message: MQTTMessage) -> Bool {
        guard case .carryOut(let order) = take(message) else { return false }
        _ = admission.finish(order, CommandOutcome(ok: true, text: "done"))
        return true
    }

    @Test mutating func `A signed command is carried out once, and its reply repeated when it comes again`() {
        let command = reset("x", at: wall)
        #expect(isCarriedOut(command))
        guard case .repeated(let reply, _) = take(command) else {
            Issue.record("not repeated")
            return
        }
        #expect(reply.ok && reply.correlation == "x" && admission.counts.carriedOut == 1)
    }

    // Each of 44,160 had been answered and logged, by a gateway whose memory grew with it.
    @Test mutating func `A signed command that comes again and again is answered a few times, and not for ever`() {
        let command = reset("x", at: wall)
        #expect(isCarriedOut(command))
        func repeats(_ command: MQTTMessage, _ test: inout Self) -> Int {
            (0..<1000).count { _ in if case .repeated = test.take(command) { true } else { false } }
        }
        #expect(repeats(command, &self) == CommandRules().burst)
        now += .seconds(1)
        #expect(repeats(command, &self) == 1)
        now += .seconds(60)
        #expect(repeats(command, &self) == 0)
        #expect(admission.counts.repeated == 3000)
    }

    @Test mutating func `Correlation data that a broker adds make no other command of it`() {
        var command = reset("x", at: wall)
        #expect(isCarriedOut(command))
        command.properties.correlationData = [1]
        #expect(!isCarriedOut(command))
    }

    @Test mutating func `What isn't signed, or for another topic, gateway or module, is refused`() throws {
        let unsigned = MQTTMessage(
            topic: Self.topics.command(named: "reset"), payload: Array(#"{"module":"door"}"#.utf8))
        #expect(refusal(unsigned)?.contains("is not signed") == true)
        #expect(refusal(MQTTMessage(topic: unsigned.topic, payload: []))?.contains("is not signed") == true)
        let text = #"{"module":"door","correlation":"y","at":"\#(wall.rfc3339)"}"#
        let other = try #require(Self.site)
        for wrong in [
            message("reset", text, key: other.commandKey("s/b/1/h")),
            message("reset", text, key: other.gatewayKey("s/b/1/g")),
            message("reset", text, signedFor: Self.topics.command(named: "identify")),
            message("reset", text, signedFor: "beacons/v1/s/b/1/h/command/reset"),
        ] { #expect(refusal(wrong)?.contains("tag is invalid") == true) }
        var changed = message("reset", text)
        changed.payload[13] ^= 1
        #expect(refusal(changed)?.contains("tag is invalid") == true)
        #expect(admission.counts.carriedOut == 0 && admission.counts.refused == 7)
    }

    @Test mutating func `A command is of the last two minutes, by the gateway's clock`() {
        for seconds in [-121, -3600] {
            let text = refusal(reset("t\(seconds)", at: wall + .seconds(seconds)))
            #expect(text?.contains("120 s") == true, "\(seconds): \(text ?? "-")")
        }
        #expect(isCarriedOut(reset("early", at: wall + .seconds(-119))))
    }

    @Test
    mutating func `A command is 5 s ahead of the gateway's clock at most, and its sender is told what time it is here`()
    {
        for seconds in [8, 100, 3600] {
            let text = refusal(reset("t\(seconds)", at: wall + .seconds(seconds)))
            #expect(text?.contains("5 s ahead") == true, "\(seconds): \(text ?? "-")")
            #expect(text?.contains(wall.rfc3339) == true)
        }
        #expect(isCarriedOut(reset("ahead", at: wall + .seconds(5))))
    }

    @Test mutating func `What was said before the gateway was started is refused`() {
        now = .seconds(10)
        #expect(refusal(reset("x", at: wall + .seconds(-60)))?.contains("after its start") == true)
        #expect(isCarriedOut(reset("y", at: wall + .seconds(-5))))
    }

    // A broker that was taken over kept it, and the gateway was started again meanwhile.
    @Test(arguments: [-119, -5, 0, 5])
    mutating func `What one run obeyed no later run obeys, also where its sender's clock was ahead`(seconds: Int) {
        let command = reset("x", at: wall + .seconds(seconds))
        #expect(isCarriedOut(command))
        var rules = CommandRules()
        rules.key = key
        admission = CommandAdmission(topics: Self.topics, prefix: "beacons/v1", rules: rules, start: wall)
        var obeyed = 0
        for elapsed in 0..<200 {
            now = .seconds(elapsed)
            if isCarriedOut(command) { obeyed += 1 }
            wall = wall + .seconds(1)
        }
        #expect(obeyed == 0)
    }

    // The clock was a minute ahead when the gateway was started.
    @Test mutating func `What was said before the start by the clock of then is refused when the clock was set back`() {
        var rules = CommandRules()
        rules.key = key
        admission = CommandAdmission(
            topics: Self.topics, prefix: "beacons/v1", rules: rules, start: wall + .seconds(60))
        now = .seconds(30)
        #expect(refusal(reset("x", at: wall))?.contains("after its start") == true)
        wall = wall + .seconds(70)
        #expect(isCarriedOut(reset("y", at: wall)))
    }

    @Test mutating func `It needs a correlation that wasn't used, and a time`() {
        let at = wall.rfc3339
        #expect(refusal(message("reset", #"{"module":"door","at":"\#(at)"}"#))?.contains("correlation") == true)
        #expect(refusal(message("reset", #"{"module":"door","correlation":"a"}"#))?.contains("requires at") == true)
        #expect(
            refusal(message("reset", #"{"at":"noon","module":"door","correlation":"a"}"#))?.contains("requires at")
                == true
        )
        #expect(isCarriedOut(reset("a", at: wall)))
        #expect(refusal(reset("a", at: wall + .seconds(1)))?.contains("already used") == true)
        #expect(
            refusal(message("identify", #"{"module":"door","correlation":"a","at":"\#(at)"}"#))?.contains("used")
                == true)
    }

    @Test mutating func `No command is obeyed a second time, however long it is kept and whatever the clock does`() {
        var rules = CommandRules()
        (rules.key, rules.perMinute, rules.burst) = (key, 600, 100)
        admission.setRules(rules)
        let first = reset("first", at: wall)
        #expect(isCarriedOut(first))
        let start = wall
        for number in 0..<(2 * CommandSignatures.most) {
            now += .seconds(1)
            wall = wall + .seconds(1)
            #expect(isCarriedOut(reset("\(number)", at: wall)))
        }
        // Its correlation is forgotten by now.
        wall = start
        #expect(refusal(first)?.contains("have been executed since") == true)
    }

    @Test
    mutating func
        `A flood of unsigned commands takes nothing from the operator, and gets one answer a second`()
    {
        var answers = 0
        for _ in 0..<1000 {
            if case .answered = take(MQTTMessage(topic: Self.topics.command(named: "reset"), payload: [])) {
                answers += 1
            }
        }
        #expect(answers == 1)
        #expect(isCarriedOut(reset("x", at: wall)))
    }

    @Test mutating func `A retained command isn't obeyed, and one that isn't understood is told so`() {
        var retained = reset("r", at: wall)
        retained.isRetained = true
        #expect(refusal(retained)?.contains("retained") == true)
        #expect(refusal(message("dance", "{\"a\":1}"))?.contains("unknown key") == true)
    }

    @Test mutating func `Without a key a signed command is a command as any other`() {
        admission.setRules(CommandRules())
        #expect(isCarriedOut(reset("x", at: .epoch)))
    }
}
