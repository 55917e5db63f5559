import Testing
import UARTConfig

@testable import Gateway

@Suite struct ModuleCommandMessageTests {
    private func read(_ name: String, _ payload: String) -> Result<
        ModuleCommandMessage.Request, ModuleCommandMessage.Refusal
    > {
        ModuleCommandMessage.read(name: name, Array(payload.utf8))
    }

    @Test("A command names its module and hands its correlation back")
    func command() {
        #expect(
            read("reset", #"{"module":"door","correlation":"x"}"#)
                == .success(.one(.init(.reset, module: "door", correlation: "x"))))
        #expect(
            read("reset", #"{"module":"door","correlation":7}"#)
                == .success(.one(.init(.reset, module: "door", correlation: "7"))))
        #expect(
            read("identify", #"{"module":"door"}"#) == .success(.one(.init(.identify, module: "door", correlation: "")))
        )
    }

    @Test("Only provision is for all modules")
    func all() {
        #expect(read("provision", "") == .success(.provisionAll(correlation: "")))
        #expect(read("provision", #"{"correlation":"x"}"#) == .success(.provisionAll(correlation: "x")))
        #expect(throws: ModuleCommandMessage.Refusal.self) { _ = try read("reset", "{}").get() }
    }

    @Test(
        "What isn't understood is refused: no JSON, another type, an unknown name, too long",
        arguments: [
            ("reset", "door"), ("reset", #"{"module":7}"#), ("dance", "{}"), ("reset", "[]"),
            ("provision", #"{"module":"door","minor":7}"#),
            ("reset", String(repeating: " ", count: 5000)),
        ])
    func refused(name: String, payload: String) {
        #expect(throws: ModuleCommandMessage.Refusal.self) { _ = try read(name, payload).get() }
    }

    @Test("A correlation of any length gives a reply of bounded length")
    func longCorrelation() {
        let long = String(repeating: "x", count: 4000)
        guard case .success(.one(let command)) = read("reset", #"{"module":"door","correlation":"\#(long)"}"#) else {
            Issue.record("refused")
            return
        }
        #expect(command.correlation.count == 128)
    }
}
