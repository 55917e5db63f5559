import BeaconModel
import Testing

@testable import GatewayCore
@testable import HCI
@testable import ModuleDialogues

@Suite("RemoteCommand") struct RemoteCommandTests {
    private func read(_ name: String, _ payload: String) -> Result<RemoteCommand.Request, RemoteCommand.Refusal> {
        RemoteCommand.read(name: name, Array(payload.utf8))
    }

    @Test("A command names its module and hands its correlation back")
    func command() {
        #expect(
            read("reset", #"{"module":"door","correlation":"x"}"#)
                == .success(.init(command: .module(.reset, module: "door"), correlation: "x")))
        #expect(
            read("reset", #"{"module":"door","correlation":7}"#)
                == .success(.init(command: .module(.reset, module: "door"), correlation: "7")))
        #expect(
            read("identify", #"{"module":"door"}"#)
                == .success(.init(command: .module(.identify, module: "door"), correlation: "")))
    }

    @Test("Only provision is for all modules")
    func all() {
        #expect(read("provision", "") == .success(.init(command: .provisionAll, correlation: "")))
        #expect(
            read("provision", #"{"correlation":"x"}"#) == .success(.init(command: .provisionAll, correlation: "x")))
        #expect(throws: RemoteCommand.Refusal.self) { _ = try read("reset", "{}").get() }
    }

    @Test("rescan is for one adapter or all")
    func rescan() {
        #expect(read("rescan", "{}") == .success(.init(command: .rescan(nil), correlation: "")))
        #expect(
            read("rescan", #"{"adapter":"hci1","correlation":"x"}"#)
                == .success(.init(command: .rescan(.index(Adapter(index: 1))), correlation: "x")))
    }

    @Test(
        "What isn't understood is refused: no JSON, another type, an unknown name or key, what another command is for",
        arguments: [
            ("reset", "door"), ("reset", #"{"module":7}"#), ("dance", "{}"), ("reset", "[]"),
            ("provision", #"{"module":"door","minor":7}"#), ("reset", String(repeating: " ", count: 5000)),
            ("rescan", #"{"module":"door"}"#), ("rescan", #"{"adapter":"usb0"}"#),
            ("reset", #"{"adapter":"hci0","module":"door"}"#),
        ])
    func refused(name: String, payload: String) {
        #expect(throws: RemoteCommand.Refusal.self) { _ = try read(name, payload).get() }
    }

    @Test("A correlation of any length gives a reply of bounded length, also when the command is refused")
    func longCorrelation() throws {
        let long = String(repeating: "x", count: 4000)
        #expect(try read("reset", #"{"module":"door","correlation":"\#(long)"}"#).get().correlation.count == 128)
        guard case .failure(let refusal) = read("dance", #"{"correlation":"\#(long)"}"#) else {
            Issue.record("obeyed")
            return
        }
        #expect(refusal.correlation.count == 128)
    }
}
