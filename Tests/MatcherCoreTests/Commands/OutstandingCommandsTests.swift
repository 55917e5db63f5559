import Testing

@testable import MatcherCore

@Suite("Commands that wait for replies") struct OutstandingCommandsTests {
    private typealias Output = OutstandingCommands.Output
    private static let topic = "beacons/v1/campus/main/1/east/reply/reset"
    private var commands = OutstandingCommands(prefix: "beacons")
    private let reset: ModuleCommand

    init() throws {
        reset = try #require(ModuleCommand(.reset, gateway: "campus/main/1/east", module: "door"))
    }

    private func reply(
        _ correlation: String, module: String? = "door", ok: Bool = true, text: String = "it advertises",
        command: String = "reset"
    ) throws -> GatewayReply {
        let module = module.map { #""module":"\#($0)","# } ?? ""
        let json =
            #"{"command":"\#(command)",\#(module)"correlation":"\#(correlation)","ok":\#(ok),"text":"\#(text)"}"#
        return try #require(GatewayReply(Array(json.utf8)))
    }

    private mutating func give(
        _ command: ModuleCommand? = nil, by account: String = "olga", as correlation: String = "c1",
        at now: Duration = .zero
    ) -> [Output] {
        commands.handle(
            .given(command ?? reset, account: account, correlation: correlation), now: now)
    }

    private func module(_ name: String, at gateway: String = "east") throws -> ModuleCommand {
        try #require(ModuleCommand(.identify, gateway: "campus/main/1/\(gateway)", module: name))
    }

    @Test("A command is sent, and its reply answers it once") mutating func answered() throws {
        #expect(give() == [.send(reset, correlation: "c1")])
        let reply = try reply("c1")
        #expect(
            commands.handle(.replied(topic: Self.topic, reply), now: .seconds(1))
                == [.answer(correlation: "c1", .done("it advertises"))])
        #expect(commands.handle(.replied(topic: Self.topic, reply), now: .seconds(1)) == [])
        #expect(commands.handle(.timeReached, now: .seconds(60)) == [])
        #expect(commands.count == 0)
    }

    @Test("The gateway's reason for a refusal is passed on, also where it understood no module")
    mutating func refused() throws {
        _ = give()
        let refusal = try reply("c1", module: nil, ok: false, text: "too many commands; next in 6 s")
        #expect(
            commands.handle(.replied(topic: Self.topic, refusal), now: .zero)
                == [.answer(correlation: "c1", .refused("too many commands; next in 6 s"))])
    }

    @Test("A reply of another gateway, to another command or about another module answers nothing")
    mutating func foreign() throws {
        _ = give()
        let foreign = [
            (Self.topic, try reply("c2")), (Self.topic, try reply("c1", module: "window")),
            (Self.topic, try reply("c1", module: nil)), (Self.topic, try reply("c1", command: "identify")),
            ("beacons/v1/campus/main/1/west/reply/reset", try reply("c1")),
            ("beacons/v1/campus/main/1/east/reply/identify", try reply("c1")),
        ]
        for (topic, reply) in foreign {
            #expect(commands.handle(.replied(topic: topic, reply), now: .zero) == [], "\(topic) \(reply)")
        }
        #expect(commands.count == 1)
    }

    @Test("Without a reply the wait ends after 15 s, and not before") mutating func late() {
        _ = give()
        #expect(commands.handle(.timeReached, now: .milliseconds(14_999)) == [])
        #expect(
            commands.handle(.timeReached, now: .seconds(15))
                == [.answer(correlation: "c1", .unanswered(complaint: nil))])
    }

    @Test("A refusal that names no command is told at the end of the wait, and a reply before it counts")
    mutating func complaint() throws {
        let refusal = try reply("", module: nil, ok: false, text: "the command is not signed")
        _ = give()
        #expect(commands.handle(.replied(topic: Self.topic, refusal), now: .seconds(1)) == [])
        #expect(
            commands.handle(.timeReached, now: .seconds(15))
                == [.answer(correlation: "c1", .unanswered(complaint: "the command is not signed"))])
        _ = give(as: "c2", at: .seconds(20))
        _ = commands.handle(.replied(topic: Self.topic, refusal), now: .seconds(21))
        let reply = try reply("c2")
        #expect(
            commands.handle(.replied(topic: Self.topic, reply), now: .seconds(22))
                == [.answer(correlation: "c2", .done("it advertises"))])
    }

    @Test("What could not be sent is answered at once") mutating func unsent() {
        _ = give()
        #expect(commands.handle(.unsent(correlation: "c1"), now: .zero) == [.answer(correlation: "c1", .unsent)])
        #expect(commands.handle(.unsent(correlation: "c1"), now: .zero) == [])
    }

    @Test("A module gets one command at a time, an account has two and all have eight")
    mutating func limits() throws {
        _ = give()
        #expect(give(by: "otto", as: "c2") == [.answer(correlation: "c2", .waiting)])
        let (window, hall, last) = (try module("window"), try module("hall"), try module("last"))
        #expect(give(window, as: "c3") == [.send(window, correlation: "c3")])
        #expect(give(hall, as: "c4") == [.answer(correlation: "c4", .tooManyWaiting)])
        for number in 5...10 {
            let command = try module("door", at: "g\(number)")
            #expect(
                give(command, by: "a\(number)", as: "c\(number)") == [.send(command, correlation: "c\(number)")])
        }
        #expect(give(last, by: "otto", as: "c11") == [.answer(correlation: "c11", .tooManyWaiting)])
    }

    @Test("An account that gives five commands at once waits 6 s for the next, and others do not")
    mutating func rate() {
        for number in 0..<5 {
            _ = give(as: "c\(number)")
            _ = commands.handle(.unsent(correlation: "c\(number)"), now: .zero)
        }
        #expect(give(as: "c5") == [.answer(correlation: "c5", .tooMany(wait: .seconds(6)))])
        #expect(give(by: "otto", as: "c6") == [.send(reset, correlation: "c6")])
        _ = commands.handle(.unsent(correlation: "c6"), now: .zero)
        #expect(give(as: "c7", at: .seconds(6)) == [.send(reset, correlation: "c7")])
    }

    @Test("A reply is one line within limits, and what is none is not read")
    func hostile() throws {
        let long = try reply("c1", text: #"\u001b[2J\u202e\n"# + String(repeating: "x", count: 5000))
        #expect(long.text.hasPrefix("?[2J??xx") && long.text.unicodeScalars.count == 503)
        #expect(GatewayReply(Array("{}".utf8)) == nil && GatewayReply([]) == nil)
        #expect(GatewayReply(Array(repeating: UInt8(ascii: " "), count: 20_000)) == nil)
    }

    @Test(
        "Names that no gateway or module can have make no command",
        arguments: [
            ("campus/main/1", "door"), ("campus/main/1/+", "door"), ("campus/main/1/east/x", "door"),
            ("campus/main/1/east", "#"), ("campus/main/1/east", ""),
            ("campus/main/1/east", String(repeating: "d", count: 65)),
        ])
    func names(gateway: String, module: String) {
        #expect(ModuleCommand(.identify, gateway: gateway, module: module) == nil)
    }
}
