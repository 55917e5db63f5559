import BeaconModel
import GatewayCore
import HCI
import Testing
import Watching

@Suite struct RadioFaultsTests {
    private func report(
        _ condition: RadioState.Condition, _ reason: RadioState.Reason? = nil, gaveUp: UInt64 = 0
    ) -> RadioReport {
        var report = RadioReport(name: "hci0")
        var state = RadioState(adapter: Adapter(index: 0), path: .raw)
        state.condition = condition
        state.reason = reason
        state.steps[.giveUp] = gaveUp
        if reason == .blocked { state.error = .blocked(state.adapter) }
        report.state = state
        return report
    }

    private func cure(_ radio: GatewayObservation.Radio?) -> GatewayObservation.Cure? {
        guard case .deaf(let fault) = radio?.state else { return nil }
        return fault.cure
    }

    @Test(
        "What a person or another program has to mend is outside of the gateway",
        arguments: [RadioState.Reason.removed, .noSuchAdapter, .down, .blocked, .notPermitted, .busy, .noService])
    func outside(reason: RadioState.Reason) {
        var faults = RadioFaults()
        #expect(cure(faults.take([report(.deaf, reason, gaveUp: 3)]).first) == .outside)
    }

    @Test(
        "A controller that fails is left to the gateway's steps, until it has given up",
        arguments: [RadioState.Reason.notAnswering, .hardwareError, .scanStopped, .silent, .failed])
    func steps(reason: RadioState.Reason) {
        var faults = RadioFaults()
        #expect(cure(faults.take([report(.deaf, reason)]).first) == .steps)
        #expect(cure(faults.take([report(.deaf, reason, gaveUp: 1)]).first) == .restart)
    }

    @Test("Steps that were given up before the adapter last scanned do not count")
    func baseline() {
        var faults = RadioFaults()
        _ = faults.take([report(.quiet, gaveUp: 2)])
        #expect(cure(faults.take([report(.deaf, .notAnswering, gaveUp: 2)]).first) == .steps)
        #expect(cure(faults.take([report(.deaf, .notAnswering, gaveUp: 3)]).first) == .restart)
    }

    @Test("The fault says what happened and what to do")
    func words() {
        var faults = RadioFaults()
        #expect(
            faults.take([report(.deaf, .blocked)]).first?.state
                == .deaf(
                    .init(
                        what: "hci0 is blocked by rfkill", remedy: "sudo rfkill unblock bluetooth", cure: .outside)))
    }

    @Test("Other conditions are taken over")
    func conditions() {
        var faults = RadioFaults()
        #expect(faults.take([report(.starting)]).first?.state == .starting)
        #expect(faults.take([report(.hearing)]).first?.state == .hearing)
        #expect(faults.take([report(.quiet)]).first?.state == .quiet)
        #expect(faults.take([RadioReport(name: "x")]).first?.state == .starting)
    }
}
