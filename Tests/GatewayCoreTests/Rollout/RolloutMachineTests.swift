import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore

@Suite struct RolloutMachineTests {
    private static let noon = RolloutFixture.noon
    private let first: RolloutDocument
    private let second: RolloutDocument

    init() throws {
        first = try RolloutFixture.document("first = 1\n", revision: "one")
        second = try RolloutFixture.document("second = 2\n", revision: "two")
    }

    private func machine(_ phase: RolloutPhase) -> RolloutMachine {
        RolloutMachine(record: RolloutRecord(phase: phase, since: Self.noon))
    }

    /// A machine in the middle of a trial of `first`.
    private func trying(previous: RolloutVersion? = nil) -> RolloutMachine {
        RolloutMachine(
            record: RolloutFixture.trial(of: first, previous: previous, starts: 1, startedAt: Self.noon))
    }

    private func answer(_ outputs: [RolloutMachine.Output]) -> CommandOutcome? {
        for case .answer(let outcome) in outputs { return outcome }
        return nil
    }

    private func writes(_ outputs: [RolloutMachine.Output]) -> [String] {
        outputs.compactMap { if case .write(let name, _) = $0 { name } else { nil } }
    }

    @Test func `A new configuration is on disk before the record names it, and the answer comes before the restart`()
        throws
    {
        var machine = machine(.local)
        let outputs = machine.handle(.configure(first, seconds: 60), at: Self.noon)
        #expect(writes(outputs) == [RolloutFiles.document(first.version.digest), RolloutFiles.record])
        #expect(answer(outputs)?.ok == true)
        #expect(outputs.last == .restart)
        #expect(machine.isRestarting)
        guard case .write(_, let record) = outputs[1] else {
            Issue.record("no record")
            return
        }
        #expect(RolloutRecord(record) == RolloutFixture.trial(of: first))
    }

    @Test func `A trial remembers the configuration that was accepted before`() {
        var machine = machine(.accepted(second.version))
        _ = machine.handle(.configure(first, seconds: 60), at: Self.noon)
        #expect(machine.record.phase.settled == second.version)
        #expect(machine.record.phase.inUse == first.version)
    }

    @Test func `The configuration in use is not tried again`() {
        var machine = machine(.accepted(first.version))
        let outputs = machine.handle(.configure(first, seconds: 60), at: Self.noon)
        #expect(answer(outputs)?.text.hasPrefix("unchanged") == true)
        #expect(outputs.count == 1 && !machine.isRestarting)
    }

    @Test func `The configuration in use gets the name of a later revision with the same contents`() {
        var machine = machine(.returned(to: first.version, from: second.version, reason: "because"))
        var renamed = first
        renamed.version.revision = second.version.revision
        let outputs = machine.handle(.configure(renamed, seconds: 60), at: Self.noon)
        #expect(answer(outputs)?.ok == true && !outputs.contains(.restart))
        #expect(machine.record.phase == .accepted(renamed.version))
    }

    @Test func `A configuration from which the gateway returned can be tried again`() {
        var machine = machine(.returned(to: nil, from: first.version, reason: "because"))
        #expect(machine.handle(.configure(first, seconds: 60), at: Self.noon).last == .restart)
    }

    @Test func `During a trial the same configuration is answered again, and another one is refused`() {
        var machine = trying()
        #expect(answer(machine.handle(.configure(first, seconds: 60), at: Self.noon))?.ok == true)
        let refusal = answer(machine.handle(.configure(second, seconds: 60), at: Self.noon))
        #expect(refusal?.ok == false)
        #expect(refusal?.text.contains("until 2026-") == true, "\(refusal?.text ?? "-")")
        #expect(machine.record.phase.inUse == first.version && !machine.isRestarting)
    }

    @Test func `A confirmed trial is accepted, with no restart`() {
        var machine = trying(previous: second.version)
        let outputs = machine.handle(.confirm(first.version.digest), at: Self.noon + .seconds(20))
        #expect(answer(outputs)?.ok == true && !outputs.contains(.restart))
        #expect(writes(outputs) == [RolloutFiles.accepted, RolloutFiles.record])
        #expect(machine.record == RolloutRecord(phase: .accepted(first.version), since: Self.noon + .seconds(20)))
        #expect(machine.handle(.timeIsUp, at: Self.noon + .seconds(61)).isEmpty)
        #expect(answer(machine.handle(.confirm(first.version.digest), at: Self.noon))?.ok == true)
    }

    @Test func `Nothing but what is on trial can be confirmed`() {
        for phase in [RolloutPhase.local, .accepted(second.version)] {
            var machine = machine(phase)
            #expect(answer(machine.handle(.confirm(first.version.digest), at: Self.noon))?.ok == false)
            #expect(machine.record.phase == phase)
        }
        var machine = trying()
        #expect(answer(machine.handle(.confirm(second.version.digest), at: Self.noon))?.ok == false)
    }

    @Test func `A confirmation between the order and the start with the configuration confirms nothing`() {
        var machine = machine(.local)
        _ = machine.handle(.configure(first, seconds: 60), at: Self.noon)
        #expect(answer(machine.handle(.confirm(first.version.digest), at: Self.noon))?.ok == false)
        #expect(machine.isRestarting)
    }

    @Test func `An unconfirmed trial returns to the configuration before it, and says why`() {
        var machine = trying(previous: second.version)
        let outputs = machine.handle(.timeIsUp, at: Self.noon + .seconds(60))
        #expect(outputs.last == .restart && writes(outputs) == [RolloutFiles.record])
        #expect(
            machine.record.phase
                == .returned(to: second.version, from: first.version, reason: "it was not confirmed within 60 s"))
        let late = answer(machine.handle(.confirm(first.version.digest), at: Self.noon + .seconds(61)))
        #expect(late?.ok == false)
        #expect(late?.text.contains("not confirmed within 60 s") == true, "\(late?.text ?? "-")")
    }

    @Test func `A configuration that cannot be written changes nothing`() {
        var machine = machine(.accepted(second.version))
        _ = machine.handle(.configure(first, seconds: 60), at: Self.noon)
        let outputs = machine.handle(.notWritten("no space left"), at: Self.noon)
        #expect(answer(outputs)?.ok == false && answer(outputs)?.text.contains("no space left") == true)
        #expect(!outputs.contains(.restart) && !machine.isRestarting)
        #expect(machine.record == RolloutRecord(phase: .accepted(second.version), since: Self.noon))
    }

    @Test func `A confirmation that cannot be written leaves the trial on`() {
        var machine = trying()
        _ = machine.handle(.confirm(first.version.digest), at: Self.noon)
        #expect(answer(machine.handle(.notWritten("no space left"), at: Self.noon))?.ok == false)
        #expect(machine.record == RolloutFixture.trial(of: first, starts: 1, startedAt: Self.noon))
    }

    @Test func `A return that cannot be written happens all the same`() {
        var machine = trying()
        _ = machine.handle(.timeIsUp, at: Self.noon + .seconds(60))
        #expect(machine.handle(.notWritten("no space left"), at: Self.noon + .seconds(60)) == [.restart])
        #expect(machine.isRestarting && machine.record.phase.inUse == nil)
    }
}
