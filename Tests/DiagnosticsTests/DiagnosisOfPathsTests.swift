import BeaconModel
import HCI
import OperatorText
import Testing

@testable import Diagnostics

@Suite("Diagnosis of paths") struct DiagnosisOfPathsTests {
    private func configuration(_ path: ScanPathKind) -> ExaminedConfiguration {
        ExaminedConfiguration(path: "gateway.toml", scanPath: path)
    }

    @Test("The path that was measured is said with its reason")
    func works() {
        let finding = DoctorFixture.diagnosis().path([DoctorFixture.heard(.raw)])
        #expect(finding.severity == .ok)
        #expect(finding.found == "raw, set in gateway.toml: receives every advertisement, alongside other programs")
        let byDefault = DoctorFixture.diagnosis(ExaminedConfiguration()).path([DoctorFixture.heard(.raw)])
        #expect(byDefault.found.hasPrefix("raw, by default: "))
    }

    @Test("A path that doesn't work is a failure, with its remedy, and with another that does")
    func fails() {
        let finding = DoctorFixture.diagnosis().path([
            DoctorFixture.failed(.raw, .busy(DoctorFixture.hci0)), DoctorFixture.heard(.dbus),
        ])
        #expect(finding.severity == .failed)
        #expect(finding.found.hasSuffix("hci0 is in use by another program; dbus works here"))
        #expect(finding.remedies.map(\.command) == ["sudo systemctl disable --now bluetooth", "sudoedit gateway.toml"])
    }

    @Test("Without capabilities raw doesn't work, and dbus is what remains")
    func notPermitted() {
        let finding = DoctorFixture.diagnosis { $0.user.capabilities = 0 }.path([DoctorFixture.notTried(.raw)])
        #expect(finding.severity == .failed)
        #expect(finding.found.contains("requires CAP_NET_ADMIN and CAP_NET_RAW; without them only dbus is left"))
        #expect(finding.remedies.first?.command.hasPrefix("sudo setcap ") == true)
    }

    @Test("Somebody without capabilities doesn't condemn a gateway that runs, and is told how to look closer")
    func besideAsAnother() {
        let diagnosis = DoctorFixture.diagnosis {
            $0.user.capabilities = 0
            $0.state.isWritable = false
            $0.programs.gateway = .init(identifier: 7, name: "beacon-gateway")
        }
        #expect(diagnosis.path([DoctorFixture.notTried(.raw)]).severity == .skipped)
        #expect(diagnosis.disk.severity == .warning)
        #expect(
            diagnosis.privileges.remedies.map(\.command)
                == ["sudo /usr/local/bin/beacon-gateway doctor --config gateway.toml"])
    }

    @Test("A path that the gateway takes because of its privileges is said to be that")
    func automatic() {
        let finding = DoctorFixture.diagnosis(ExaminedConfiguration(scanPath: .dbus, isAutomatic: true))
            .path([DoctorFixture.heard(.dbus)])
        #expect(finding.severity == .ok)
        #expect(finding.found.hasPrefix("dbus, chosen by this user's privileges: "))
    }

    @Test("dbus needs bluetoothd, which is started, or installed first")
    func noBluetoothd() {
        var diagnosis = DoctorFixture.diagnosis(configuration(.dbus)) { $0.programs.bluetoothd = nil }
        #expect(diagnosis.path([]).severity == .failed)
        #expect(diagnosis.path([]).remedies.first?.command == "sudo systemctl enable --now bluetooth")
        diagnosis.facts.programs.hasBlueZ = false
        #expect(diagnosis.path([]).remedies.first?.command == "sudo apt-get install bluez")
    }

    @Test("Silence is a warning, but for a path that only listens it is a failure")
    func silence() {
        let raw = DoctorFixture.diagnosis().path([DoctorFixture.heard(.raw, reports: 0)])
        #expect(raw.severity == .warning)
        #expect(raw.remedies.map(\.command) == ["/usr/local/bin/beacon-gateway scan --duration 30s"])
        let monitor = DoctorFixture.diagnosis(configuration(.monitor)).path([
            DoctorFixture.heard(.monitor, reports: 0), DoctorFixture.heard(.raw),
        ])
        #expect(monitor.severity == .failed)
        #expect(monitor.found.contains("no program is scanning with hci0; raw works here"))
    }

    @Test("A path that has what it needs and wasn't measured is said to be untried")
    func unmeasured() {
        let finding = DoctorFixture.diagnosis().path([])
        #expect(finding.severity == .skipped)
        #expect(finding.found.hasSuffix("; not tested"))
    }

    @Test("One adapter of two that hears is enough")
    func oneOfTwo() {
        let finding = DoctorFixture.diagnosis().path([
            DoctorFixture.failed(.raw, .removed(Adapter(index: 1))), DoctorFixture.heard(.raw),
        ])
        #expect(finding.severity == .ok)
    }

    @Test("Each fault of a path has a command against it", arguments: faults)
    func remedies(error: ScannerError) {
        #expect(!DoctorFixture.diagnosis().commands(against: error).isEmpty)
    }

    private static let faults: [ScannerError] = {
        let adapter = DoctorFixture.hci0
        return [
            .noBluetooth, .noSuchAdapter(adapter), .noAdapterWithAddress("x"), .notPermitted(adapter),
            .blocked(adapter), .removed(adapter), .down(adapter), .notAnswering(adapter, command: "x"),
            .hardwareError(adapter, code: 1), .silent(adapter), .nobodyScans(adapter), .busy(adapter),
            .refused(adapter, command: "x", status: 0x0C), .refused(adapter, command: "x", status: 1),
            .noSystemBus(adapter, error: "x"), .noBluetoothService(adapter),
            .poweredOff(adapter), .serviceNotPermitted(adapter), .serviceNotAnswering(adapter, call: "x"),
            .serviceRefused(adapter, call: "Set", error: "x"), .serviceRefused(adapter, call: "x", error: "x"),
        ]
    }()

    @Test("user-channel is only measured when it is asked for")
    func userChannel() {
        #expect(DoctorFixture.diagnosis().reasonNotToMeasure(.userChannel, allPaths: false) != nil)
        #expect(DoctorFixture.diagnosis().reasonNotToMeasure(.userChannel, allPaths: true) == nil)
        let chosen = DoctorFixture.diagnosis(configuration(.userChannel))
        #expect(chosen.reasonNotToMeasure(.userChannel, allPaths: false) == nil)
    }

    @Test("Paths without what they need aren't measured")
    func needs() {
        let poor = DoctorFixture.diagnosis {
            $0.user.capabilities = 0
            $0.programs.bluetoothd = nil
        }
        for path in ScanPathKind.allCases {
            #expect(poor.reasonNotToMeasure(path, allPaths: true) != nil, "\(path)")
        }
    }

    @Test("A gateway that runs is measured beside, and never thrown off its adapter")
    func besideGateway() {
        let gateway = MachineFacts.Program(identifier: 7, name: "beacon-gateway")
        let diagnosis = DoctorFixture.diagnosis { $0.programs.gateway = gateway }
        #expect(diagnosis.reasonNotToMeasure(.raw, allPaths: true) == nil)
        #expect(diagnosis.reasonNotToMeasure(.userChannel, allPaths: true) != nil)
        let exclusive = DoctorFixture.diagnosis(configuration(.userChannel)) { $0.programs.gateway = gateway }
        #expect(exclusive.reasonNotToMeasure(.raw, allPaths: true) != nil)
        #expect(exclusive.path([DoctorFixture.notTried(.userChannel)]).severity == .skipped)
    }

    @Test("An adapter that somebody has for himself is only listened to; it is a failure unless a gateway has it")
    func taken() {
        var adapter = DoctorFixture.adapter
        adapter.features = .failure(.busy(DoctorFixture.hci0))
        var diagnosis = DoctorFixture.diagnosis { $0.adapters = .success([adapter]) }
        for path in ScanPathKind.allCases {
            #expect((diagnosis.reasonNotToMeasure(path, allPaths: true) == nil) == (path == .monitor), "\(path)")
        }
        #expect(diagnosis.adapters.map(\.severity) == [.failed])
        diagnosis.facts.programs.gateway = .init(identifier: 7, name: "beacon-gateway")
        #expect(diagnosis.adapters.map(\.severity) == [.ok])
        #expect(diagnosis.path([DoctorFixture.notTried(.raw)]).severity == .skipped)
    }

    @Test("Whoever only listens is measured first, and whoever takes all for himself last")
    func order() {
        let order = ScanPathKind.inOrderOfMeasuring
        #expect(order.first == .monitor)
        #expect(order.last == .userChannel)
        #expect(Set(order) == Set(ScanPathKind.allCases) && order.count == ScanPathKind.allCases.count)
    }

    @Test("A scan that measuring has ended is mentioned: the gateway's comes back, another's may not")
    func aftermath() {
        let measurements = [DoctorFixture.heard(.monitor), DoctorFixture.heard(.raw)]
        #expect(DoctorFixture.diagnosis().aftermath(measurements)?.severity == .warning)
        let beside = DoctorFixture.diagnosis { $0.programs.gateway = .init(identifier: 7, name: "beacon-gateway") }
        #expect(beside.aftermath([DoctorFixture.heard(.raw)])?.severity == .ok)
        #expect(DoctorFixture.diagnosis().aftermath([DoctorFixture.heard(.raw)]) == nil)
        #expect(DoctorFixture.diagnosis().aftermath([DoctorFixture.heard(.monitor)]) == nil)
    }

    @Test("A measurement is told in reports a second and senders")
    func measurement() {
        let finding = DoctorFixture.diagnosis().finding(on: DoctorFixture.heard(.raw))
        #expect(finding.found == "hci0: 143.3 reports/s from 21 senders in 3.0 s, legacy scan")
        let failure = DoctorFixture.diagnosis().finding(
            on: DoctorFixture.failed(.dbus, .down(DoctorFixture.hci0)))
        #expect(failure.severity == .skipped)
        #expect(failure.found == "cannot be used: hci0 was switched off")
    }
}
