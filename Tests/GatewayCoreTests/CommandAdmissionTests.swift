import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore

@Suite("CommandAdmission") struct CommandAdmissionTests {
    private static let topics = Topics(
        prefix: "beacons", place: Place(site: "s", building: "b", floor: "1", gateway: "g"))
    private var admission = CommandAdmission(topics: topics, prefix: "beacons/v1", rules: CommandRules())
    private var now: Duration = .seconds(100)

    private func message(
        _ name: String, _ payload: String, _ properties: MQTTMessage.Properties = .init(), isRetained: Bool = false
    ) -> MQTTMessage {
        MQTTMessage(
            topic: Self.topics.root + "/command/" + name, payload: Array(payload.utf8), isRetained: isRetained,
            properties: properties)
    }

    private mutating func take(_ message: MQTTMessage) -> CommandAdmission.Decision {
        admission.take(message, now: now, wall: .epoch)
    }

    private mutating func order(_ name: String, _ payload: String) throws -> CommandAdmission.Order {
        guard case .carryOut(let order) = take(message(name, payload)) else { throw NotCarriedOut() }
        return order
    }

    private struct NotCarriedOut: Error {}

    @Test("A command is carried out, and its reply goes to reply/<name>")
    mutating func carriesOut() throws {
        let order = try order("reset", #"{"module":"door","correlation":"x"}"#)
        #expect(order.address.topic == Self.topics.root + "/reply/reset")
        let reply = admission.finish(order, CommandOutcome(ok: true, text: "it advertises"))
        #expect(
            reply
                == CommandReply(command: "reset", module: "door", correlation: "x", ok: true, text: "it advertises"))
    }

    @Test("Other limits hold from now on; the same ones give nobody more")
    mutating func otherLimits() throws {
        for _ in 0..<5 { _ = try order("reset", #"{"module":"door"}"#) }
        admission.setRules(CommandRules())
        guard case .answered = take(message("reset", #"{"module":"door"}"#)) else {
            Issue.record("a sixth was carried out")
            return
        }
        var rules = CommandRules()
        rules.burst = 6
        admission.setRules(rules)
        _ = try order("reset", #"{"module":"door"}"#)
    }

    @Test("After five at once further ones are refused, with the time until the next, once a second")
    mutating func tooMany() throws {
        for _ in 0..<5 { _ = try order("reset", #"{"module":"door"}"#) }
        guard case .answered(let refusal, _) = take(message("reset", #"{"module":"door","correlation":"y"}"#)) else {
            Issue.record("not answered")
            return
        }
        #expect(!refusal.ok && refusal.text == "too many commands; next in 6 s" && refusal.correlation == "y")
        for _ in 0..<1000 { #expect(take(message("reset", #"{"module":"door"}"#)) == .ignored) }
        now += .seconds(6)
        _ = try order("reset", #"{"module":"door"}"#)
        #expect(
            admission.counts.received == 1007 && admission.counts.tooMany == 1001 && admission.counts.carriedOut == 6)
    }

    @Test("In the long run ten a minute are carried out, however many come")
    mutating func rate() {
        var carriedOut = 0
        for second in 0..<600 {
            now = .seconds(100 + second)
            for _ in 0..<3 {
                if case .carryOut = take(message("identify", #"{"module":"door"}"#)) { carriedOut += 1 }
            }
        }
        #expect((100...105).contains(carriedOut), "\(carriedOut)")
    }

    @Test("A command with a correlation that comes again is carried out once, and its reply repeated")
    mutating func again() throws {
        let payload = #"{"module":"door","correlation":"x"}"#
        let order = try order("reset", payload)
        // It is still carried out: the reply follows.
        #expect(take(message("reset", payload)) == .ignored)
        let reply = admission.finish(order, CommandOutcome(ok: true, text: "it advertises"))
        #expect(take(message("reset", payload)) == .repeated(reply, order.address))
        #expect(admission.counts.repeated == 2 && admission.counts.carriedOut == 1)
    }

    @Test("So is one that MQTT 5's correlation data name")
    mutating func againByProperty() {
        let properties = MQTTMessage.Properties(correlationData: [1, 2])
        guard case .carryOut(let order) = take(message("reset", #"{"module":"door"}"#, properties)) else {
            Issue.record("not carried out")
            return
        }
        let reply = admission.finish(order, CommandOutcome(ok: true, text: ""))
        #expect(take(message("reset", #"{"module":"door"}"#, properties)) == .repeated(reply, order.address))
    }

    @Test("One with another name, other contents, without a correlation, or a minute later is another command")
    mutating func another() throws {
        let first = try order("reset", #"{"module":"door","correlation":"x"}"#)
        _ = admission.finish(first, CommandOutcome(ok: true, text: ""))
        _ = try order("identify", #"{"module":"door","correlation":"x"}"#)
        _ = try order("reset", #"{"module":"window","correlation":"x"}"#)
        _ = try order("reset", #"{"module":"door"}"#)
        _ = try order("reset", #"{"module":"door"}"#)
        now += .seconds(61)
        _ = try order("reset", #"{"module":"door","correlation":"x"}"#)
    }

    @Test("A retained command isn't obeyed, and one that was taken back isn't answered")
    mutating func retained() {
        guard case .answered(let reply, _) = take(message("reset", #"{"module":"door"}"#, isRetained: true)) else {
            Issue.record("not answered")
            return
        }
        #expect(!reply.ok && reply.text.contains("retained"))
        #expect(take(message("reset", "", isRetained: true)) == .ignored)
    }

    @Test("A malformed command is answered with what is allowed; another topic isn't answered at all")
    mutating func malformed() {
        guard case .answered(let reply, _) = take(message("dance", "{}")) else {
            Issue.record("not answered")
            return
        }
        #expect(reply.text.contains("provision, identify, reset, rescan"))
        #expect(take(message("Dance!", "{}")) == .ignored)
        #expect(take(MQTTMessage(topic: "elsewhere", payload: [])) == .ignored)
    }

    @Test("Two orders never have one ticket")
    mutating func tickets() throws {
        let tickets = [
            try order("reset", #"{"module":"door"}"#).ticket, try order("reset", #"{"module":"door"}"#).ticket,
        ]
        #expect(Set(tickets).count == 2)
    }
}

@Suite("ReplyAddress") struct ReplyAddressTests {
    private static let topics = Topics(
        prefix: "beacons", place: Place(site: "s", building: "b", floor: "1", gateway: "g"))

    private func address(_ topic: String?, data: [UInt8]? = nil) -> ReplyAddress {
        ReplyAddress(
            to: "reset", .init(responseTopic: topic, correlationData: data), topics: Self.topics, prefix: "beacons/v1")
    }

    @Test("A reply goes to the response topic with the correlation data as they came", arguments: ["a", "apps/7/in"])
    func response(topic: String) {
        let address = address(topic, data: [0, 255])
        #expect(address.topic == topic && address.correlationData == [0, 255] && address.problem == nil)
    }

    @Test("The gateway's own replies may be answered to")
    func own() { #expect(address("beacons/v1/s/b/1/g/reply/me").topic == "beacons/v1/s/b/1/g/reply/me") }

    @Test(
        "An unsafe response topic isn't used, and it is said why",
        arguments: [
            ("", "bytes"), (String(repeating: "a", count: 201), "201 bytes"), ("a/+", "wildcard"), ("#", "wildcard"),
            ("$SYS/x", "reserved for the broker"), ("a//b", "empty level"), ("/a", "empty level"),
            ("a\u{0}b", "characters"),
            ("a\u{FFFD}", "characters"), ("beacons/v1", "below beacons/v1"),
            ("beacons/v1/s/b/1/g/status", "below beacons/v1"),
            ("beacons/v1/s/b/1/other/command/reset", "below beacons/v1"),
            ("beacons/v1/s/b/1/other/reply/reset", "below beacons/v1"),
        ])
    func unsafe(topic: String, problem: String) {
        let address = address(topic, data: [1])
        #expect(address.topic == Self.topics.reply("reset"))
        #expect(address.problem?.contains(problem) == true, "\(address.problem ?? "")")
        #expect(address.correlationData == [1])
    }

    @Test("Correlation data beyond a kilobyte aren't handed back")
    func long() { #expect(address(nil, data: Array(repeating: 0, count: 1025)).correlationData == nil) }
}
