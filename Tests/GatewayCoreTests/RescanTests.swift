import BeaconModel
import HCI
import Testing

@testable import GatewayCore

@Suite("Rescan") struct RescanTests {
    private func report(
        _ name: String, _ condition: RadioState.Condition, adapter: UInt16 = 0, path: ScanPathKind = .raw
    ) -> RadioReport {
        var state = RadioState(adapter: Adapter(index: adapter), path: path)
        state.mode = .legacy
        state.condition = condition
        if condition == .deaf { state.reason = .removed }
        return RadioReport(name: name, state: state)
    }

    @Test("All adapters are told, and the reply says what was done with each")
    func all() {
        let rescan = Rescan(of: nil, [report("hci0", .hearing), report("hci1", .deaf, adapter: 1)])
        #expect(rescan.sources == [0, 1])
        #expect(
            rescan.outcome
                == CommandOutcome(
                    ok: true,
                    text: "hci0: scanning is restarted; hci1 is deaf (removed): retrying now"))
    }

    @Test("One adapter is told, by the name of the configuration or by its number")
    func one() {
        let reports = [report("hci0", .quiet), report("00:1A:7D:DA:71:13", .hearing, adapter: 1)]
        #expect(Rescan(of: AdapterSelector("hci1"), reports).sources == [1])
        #expect(Rescan(of: AdapterSelector("00:1A:7D:DA:71:13"), reports).sources == [1])
    }

    @Test("An adapter that isn't there is refused with those that are")
    func none() {
        let rescan = Rescan(of: AdapterSelector("hci7"), [report("hci0", .hearing)])
        #expect(rescan.sources.isEmpty)
        #expect(rescan.outcome == CommandOutcome(ok: false, text: "there is no adapter hci7; the adapters are hci0"))
    }

    @Test("Where others scan and this process only listens, nothing is switched on")
    func monitor() {
        let rescan = Rescan(of: nil, [report("hci0", .hearing, path: .monitor)])
        #expect(rescan.sources.isEmpty && !rescan.outcome.ok)
    }
}
