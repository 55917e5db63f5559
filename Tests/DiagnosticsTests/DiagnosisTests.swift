import BeaconModel
import HCI
import OperatorText
import RecordContract
import Testing

@testable import Diagnostics
@testable import Publishing

@Suite("Diagnosis of the machine") struct DiagnosisTests {
    private func commands(_ finding: DoctorFinding) -> [String] { finding.remedies.map(\.command) }

    @Test("A good machine has nothing that needs a remedy")
    func good() {
        let findings = DoctorFixture.diagnosis().findings
        #expect(findings.count { $0.severity == .ok } == findings.count, "\(findings)")
        #expect(findings.flatMap(\.remedies).isEmpty)
    }

    @Test("An outbox whose database is gone is a warning that says to start the gateway")
    func missingOutbox() {
        let error = OutboxError(
            "the outbox x is missing or empty", meaning: "its log is there", remedy: "start the gateway")
        let finding = DoctorFixture.diagnosis { $0.missingOutbox = error }.findings.last
        #expect(finding?.subject == "outbox")
        #expect(finding?.severity == .warning)
        #expect(finding?.found == "the outbox x is missing or empty; its log is there")
        #expect(finding?.remedies.first?.mends == "start the gateway")
    }

    @Test("A session that another client took within the last day is a warning that says what to change")
    func takenOver() {
        let takeovers = SessionTakeovers(times: 3, lastAt: DoctorFixture.facts.clock.now, isCertain: true)
        let finding = DoctorFixture.diagnosis { $0.takeovers = takeovers }.findings.last
        #expect(finding?.subject == "name")
        #expect(finding?.severity == .warning)
        #expect(finding?.found.contains("took over this gateway's session at the broker 3 times") == true)
        #expect(finding?.remedies.first?.mends.contains("place.gateway") == true)
        let yesterday = DoctorFixture.diagnosis {
            $0.takeovers = takeovers
            $0.clock.now = takeovers.lastAt + .seconds(24 * 3600)
        }
        #expect(!yesterday.findings.contains { $0.subject == "name" })
    }

    @Test("A configuration with mistakes is a failure of its own exit status; without one, defaults are examined")
    func configuration() {
        let bad = DoctorFixture.diagnosis(ExaminedConfiguration(path: "a b.toml", problem: "2 problems"))
        #expect(bad.configurationFile.severity == .failed)
        #expect(bad.configurationFile.exitStatus == .configuration)
        #expect(commands(bad.configurationFile) == ["sudoedit 'a b.toml'"])
        #expect(DoctorFixture.diagnosis(ExaminedConfiguration()).configurationFile.severity == .skipped)
        #expect(DoctorFixture.diagnosis(ExaminedConfiguration(path: "g.toml")).rollout.isEmpty)
        let inUse = ExaminedConfiguration(path: "g.toml", inUse: "revision 4f2c9a1")
        #expect(DoctorFixture.diagnosis(inUse).rollout.map(\.severity) == [.ok])
        let returned = ExaminedConfiguration(path: "g.toml", inUse: "own file, returned", hasReturned: true)
        #expect(DoctorFixture.diagnosis(returned).rollout.map(\.severity) == [.warning])
    }

    @Test("Missing capabilities are granted to the program's file; in a container, to the container")
    func capabilities() {
        var finding = DoctorFixture.diagnosis { $0.user.capabilities = 1 << 13 }.privileges
        #expect(finding.severity == .warning)
        #expect(finding.found == "user pi, without CAP_NET_ADMIN, which path raw needs")
        #expect(commands(finding) == ["sudo setcap cap_net_raw,cap_net_admin+ep /usr/local/bin/beacon-gateway"])
        finding = DoctorFixture.diagnosis { $0.user = .init(name: "root", isRoot: true, capabilities: 0) }.privileges
        #expect(commands(finding) == ["docker run --net=host --cap-add=NET_ADMIN --cap-add=NET_RAW ..."])
    }

    @Test("Path dbus needs no capabilities")
    func dbusNeedsNone() {
        let finding = DoctorFixture.diagnosis(ExaminedConfiguration(path: "g.toml", scanPath: .dbus)) {
            $0.user.capabilities = 0
        }.privileges
        #expect(finding.severity == .ok)
    }

    @Test("A kernel that can load Bluetooth is told to; one that can't is to be replaced")
    func noBluetooth() {
        var finding = DoctorFixture.diagnosis {
            $0.adapters = .failure(.noBluetooth)
            $0.bluetooth.isLoaded = false
        }.adapters[0]
        #expect(finding.severity == .failed)
        #expect(commands(finding) == ["sudo modprobe bluetooth", "sudo modprobe btusb"])
        finding =
            DoctorFixture.diagnosis {
                $0.adapters = .failure(.noBluetooth)
                $0.bluetooth = .init(isLoaded: false, canBeLoaded: false, disabledIn: nil)
            }.adapters[0]
        #expect(commands(finding) == ["sudo apt-get install linux-image-$(dpkg --print-architecture) && sudo reboot"])
    }

    @Test("A kernel that has Bluetooth, and doesn't give it, is that of a container")
    func container() {
        let finding = DoctorFixture.diagnosis { $0.adapters = .failure(.noBluetooth) }.adapters[0]
        #expect(finding.severity == .failed)
        #expect(commands(finding) == ["docker run --net=host ..."])
    }

    @Test("No adapter is a failure; a Raspberry Pi that was told to do without is told otherwise")
    func noAdapter() {
        var diagnosis = DoctorFixture.diagnosis { $0.adapters = .success([]) }
        #expect(diagnosis.adapters.map(\.severity) == [.failed])
        #expect(commands(diagnosis.adapters[0]).first?.hasPrefix("lsusb") == true)
        #expect(diagnosis.path([]).severity == .skipped)
        diagnosis.facts.bluetooth.disabledIn = "/boot/firmware/config.txt"
        #expect(
            commands(diagnosis.adapters[0]).first
                == "sudo sed -i 's/^dtoverlay=disable-bt/#&/' /boot/firmware/config.txt && sudo reboot")
    }

    @Test("When another adapter is there than the one that is asked for, its address is proposed")
    func otherAdapter() {
        let diagnosis = DoctorFixture.diagnosis(
            ExaminedConfiguration(path: "g.toml", adapters: [.index(Adapter(index: 1))]))
        #expect(diagnosis.adapters.map(\.severity) == [.ok, .failed])
        #expect(diagnosis.adapters[1].found == "there is no adapter hci1; the adapters are hci0")
        #expect(diagnosis.adapters[1].remedies.first?.mends.contains("DC:A6:32:01:02:03") == true)
    }

    @Test("One missing of several adapters is a warning")
    func oneOfTwo() {
        let configuration = ExaminedConfiguration(
            path: "g.toml", adapters: [.index(DoctorFixture.hci0), .index(Adapter(index: 1))])
        #expect(DoctorFixture.diagnosis(configuration).adapters.map(\.severity) == [.ok, .warning])
    }

    @Test("A controller that answers nothing, or can't scan, fails; when it isn't used it is a warning")
    func badController() {
        let mute = ScannerError.notAnswering(DoctorFixture.hci0, command: "x")
        var broken = DoctorFixture.adapter
        broken.features = .failure(mute)
        var diagnosis = DoctorFixture.diagnosis { $0.adapters = .success([broken]) }
        #expect(diagnosis.adapters[0].severity == .failed)
        #expect(commands(diagnosis.adapters[0]).first?.hasPrefix("sudo btmgmt --index 0 power off") == true)
        broken.features = .success(
            ControllerFeatures(version: 4, manufacturer: 10, scans: false, scansExtended: false, hearsCodedPHY: nil))
        diagnosis.facts.adapters = .success([broken])
        #expect(diagnosis.adapters[0].severity == .failed)
        diagnosis.configuration.adapters = [.index(Adapter(index: 7))]
        #expect(diagnosis.adapters[0].severity == .warning)
    }

    @Test("An adapter that is off is no fault: the gateway switches it on")
    func off() {
        var adapter = DoctorFixture.adapter
        adapter.description.isUp = false
        adapter.features = nil
        let finding = DoctorFixture.diagnosis { $0.adapters = .success([adapter]) }.adapters[0]
        #expect(finding.severity == .ok)
        #expect(finding.found == "hci0, DC:A6:32:01:02:03, off (the gateway switches it on)")
    }

    @Test("A blocked radio fails with the command for software, and the search for a switch of hardware")
    func blocked() {
        var diagnosis = DoctorFixture.diagnosis {
            $0.switches = [.init(name: "hci0", isSoftBlocked: true, isHardBlocked: false)]
        }
        #expect(diagnosis.radioSwitches.map(\.severity) == [.failed])
        #expect(commands(diagnosis.radioSwitches[0]) == ["sudo rfkill unblock bluetooth"])
        #expect(diagnosis.radioObstacle == "the radio is blocked")
        #expect(diagnosis.path([]).severity == .skipped)
        diagnosis.facts.switches = [.init(name: "hci0", isSoftBlocked: false, isHardBlocked: true)]
        #expect(commands(diagnosis.radioSwitches[0]) == ["rfkill list bluetooth"])
    }

    @Test("A blocked radio that isn't used is a warning")
    func blockedOther() {
        let diagnosis = DoctorFixture.diagnosis {
            $0.switches = [.init(name: "hci3", isSoftBlocked: true, isHardBlocked: false)]
        }
        #expect(diagnosis.radioSwitches.map(\.severity) == [.warning])
        #expect(diagnosis.radioObstacle == nil)
    }

    @Test("bluetoothd does no harm beside raw, and loses the adapter to user-channel")
    func bluetoothd() {
        #expect(DoctorFixture.diagnosis().otherPrograms.severity == .ok)
        let exclusive = DoctorFixture.diagnosis(ExaminedConfiguration(path: "g.toml", scanPath: .userChannel))
        #expect(exclusive.otherPrograms.severity == .warning)
        #expect(commands(exclusive.otherPrograms) == ["sudo systemctl disable --now bluetooth"])
    }

    @Test("Another program with the radio open is named, with its number; one that only looks on is not")
    func strangers() {
        let finding = DoctorFixture.diagnosis {
            $0.programs.withHCISockets = [.init(identifier: 8, name: "btmon"), .init(identifier: 99, name: "hcitool")]
        }.otherPrograms
        #expect(finding.severity == .warning)
        #expect(commands(finding) == ["sudo kill 99"])
    }

    @Test("A clock that nobody sets is a warning, whose remedy depends on what is installed")
    func clock() {
        var diagnosis = DoctorFixture.diagnosis { $0.clock.isSynchronized = false }
        #expect(diagnosis.clock.severity == .warning)
        #expect(commands(diagnosis.clock) == ["sudo timedatectl set-ntp true"])
        diagnosis.facts.clock.hasKeeper = false
        #expect(commands(diagnosis.clock) == ["sudo apt-get install systemd-timesyncd"])
    }

    @Test("A state directory that the gateway can't have is a failure with a configuration, else a warning")
    func stateDirectory() {
        var diagnosis = DoctorFixture.diagnosis {
            $0.state.existence = .missing
            $0.state.isWritable = false
        }
        #expect(diagnosis.disk.severity == .failed)
        #expect(commands(diagnosis.disk) == ["sudo install -d -o pi /var/lib/beacon-gateway"])
        diagnosis.configuration = ExaminedConfiguration()
        #expect(diagnosis.disk.severity == .warning)
        diagnosis.facts.state.isWritable = true
        #expect(diagnosis.disk.severity == .ok)
    }

    @Test("A read-only file system and a file in the place of the directory are told apart")
    func stateFaults() {
        var diagnosis = DoctorFixture.diagnosis { $0.state.isReadOnlyFileSystem = true }
        #expect(diagnosis.disk.severity == .failed)
        #expect(commands(diagnosis.disk).count == 2)
        diagnosis.facts.state.existence = .somethingElse
        #expect(commands(diagnosis.disk) == ["sudoedit gateway.toml"])
    }

    @Test(
        "Little space is a warning, none a failure",
        arguments: [(UInt64(200_000_000), DoctorFinding.Severity.ok), (99_000_000, .warning), (999_999, .failed)])
    func space(free: UInt64, severity: DoctorFinding.Severity) {
        let finding = DoctorFixture.diagnosis { $0.state.freeBytes = free }.disk
        #expect(finding.severity == severity)
        #expect(finding.remedies.isEmpty == (severity == .ok))
    }
}
