import BeaconModel
import Diagnostics
import HCI
import OperatorText
import Testing

@testable import DiagnosticsTests
@testable import Setup

/// Mistakes and missing things that a machine for tests doesn't have: what an installer reads of them.
@Suite("Mistakes in setup, of the machine") struct SetupMistakesTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var test: String
        var findings: [DoctorFinding]
        var says: [String]
    }

    static let mistakes: [Mistake] = [
        Mistake(
            testDescription: "no adapter", test: "radio",
            findings: DoctorFixture.diagnosis { $0.adapters = .success([]) }.adapters,
            says: ["there is no Bluetooth adapter", "lsusb"]),
        Mistake(
            testDescription: "blocked by rfkill", test: "radio",
            findings: DoctorFixture.diagnosis {
                $0.switches = [.init(name: "hci0", isSoftBlocked: true, isHardBlocked: false)]
            }.radioSwitches, says: ["hci0 is blocked by software", "sudo rfkill unblock bluetooth"]),
        Mistake(
            testDescription: "disk full", test: "disk",
            findings: [DoctorFixture.diagnosis { $0.state.freeBytes = 1000 }.disk],
            says: ["the file system is full", "journalctl --vacuum-size=100M"]),
        Mistake(
            testDescription: "read-only disk", test: "disk",
            findings: [DoctorFixture.diagnosis { $0.state.isReadOnlyFileSystem = true }.disk],
            says: ["read-only file system", "mount -o remount,rw"]),
    ]

    @Test(arguments: mistakes)
    func `Setup ends with what was found and what to do`(mistake: Mistake) {
        var interview = SetupFixture.interview(given: SetupFixture.answers, canAsk: false)
        let failure = interview.pass(.started, findings: [mistake.test: mistake.findings]).last?.failure
        let said = failure?.description ?? ""
        for text in mistake.says { #expect(said.contains(text), "\(said)") }
        #expect(said.contains("keep-anyway = [\"\(mistake.test)\"]"))
    }

    static let warnings: [Mistake] = [
        Mistake(
            testDescription: "clock", test: "clock",
            findings: [DoctorFixture.diagnosis { $0.clock.isSynchronized = false }.clock],
            says: ["not synchronized", "sudo timedatectl set-ntp true"]),
        Mistake(
            testDescription: "small disk", test: "disk",
            findings: [
                DoctorFixture.diagnosis(
                    ExaminedConfiguration(path: "gateway.toml", outboxBytes: 256_000_000)
                ) { $0.state.freeBytes = 200_000_000 }.disk
            ], says: ["200 MB free, and the outbox may take 256 MB", "outbox.max-size"]),
        Mistake(
            testDescription: "no right to use the radio", test: "radio",
            findings: [DoctorFixture.diagnosis { $0.user.capabilities = 0 }.privileges],
            says: ["without CAP_NET_ADMIN and CAP_NET_RAW", "sudo setcap"]),
        Mistake(
            testDescription: "no right to open a serial port", test: "modules",
            findings: DoctorFixture.diagnosis { $0.serialPorts[0].isPermitted = false }.serialPorts,
            says: ["does not have permission", "usermod -aG dialout pi"]),
        Mistake(
            testDescription: "module busy", test: "modules",
            findings: DoctorFixture.diagnosis {
                $0.serialPorts[0].holder = .init(identifier: 7, name: "minicom")
            }.serialPorts, says: ["another program has it open: minicom (process 7)", "sudo kill 7"]),
        Mistake(
            testDescription: "no module", test: "modules",
            findings: DoctorFixture.diagnosis(ExaminedConfiguration(path: "gateway.toml", modules: 1)) {
                $0.serialPorts = []
            }.serialPorts, says: ["no module is connected", "lsusb"]),
    ]

    @Test(arguments: warnings)
    func `What still works is a warning with what to do, and is left to do`(mistake: Mistake) {
        var interview = SetupFixture.interview(given: SetupFixture.answers, canAsk: false)
        #expect(interview.pass(.started, findings: [mistake.test: mistake.findings]).last?.isFinished == true)
        let said = interview.left.flatMap { [$0.found] + $0.remedies.flatMap { [$0.command, $0.mends] } }
            .joined(separator: "\n")
        for text in mistake.says { #expect(said.contains(text), "\(said)") }
    }
}
