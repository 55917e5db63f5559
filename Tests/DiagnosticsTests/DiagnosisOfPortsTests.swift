import Glibc
import Testing

@testable import Diagnostics
@testable import MQTTBridge
@testable import OperatorText
@testable import Publishing

@Suite("Diagnosis of serial ports and broker") struct DiagnosisOfPortsTests {
    @Test("A port that the user may not open needs its group")
    func notPermitted() {
        let findings = DoctorFixture.diagnosis {
            $0.serialPorts[0].isPermitted = false
            $0.serialPorts[0].group = "uucp"
        }.serialPorts
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings[0].remedies.map(\.command) == ["sudo usermod -aG uucp pi"])
    }

    @Test(
        "A port of a group that gives more than ports, or is closed to its group, needs a rule of udev",
        arguments: [
            ("root", true), ("disk", true), ("dialout", false),
        ])
    func foreignGroup(group: String, isOpenToGroup: Bool) {
        let findings = DoctorFixture.diagnosis {
            $0.serialPorts[0].isPermitted = false
            $0.serialPorts[0].group = group
            $0.serialPorts[0].isOpenToGroup = isOpenToGroup
            $0.serialPorts[0].usbID = "0403:6001"
        }.serialPorts
        #expect(
            findings[0].remedies.map(\.command) == [
                #"echo 'SUBSYSTEM=="tty", ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", GROUP="dialout", MODE="0660"' "#
                    + "| sudo tee -a /etc/udev/rules.d/60-beacon-gateway.rules",
                "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=tty",
                "sudo usermod -aG dialout pi",
            ])
    }

    @Test(
        "A port without USB is named to udev by the kernel's name, and one that udev doesn't know is given to the user")
    func otherPorts() {
        var diagnosis = DoctorFixture.diagnosis {
            $0.serialPorts[0].isPermitted = false
            $0.serialPorts[0].group = "root"
            $0.serialPorts[0].device = "/dev/ttyAMA0"
        }
        #expect(diagnosis.serialPorts[0].remedies[0].command.contains(#"KERNEL=="ttyAMA0", GROUP="dialout""#))
        diagnosis.facts.serialPorts[0].device = "/dev/pts/3"
        diagnosis.facts.serialPorts[0].name = "/dev/pts/3"
        #expect(diagnosis.serialPorts[0].remedies.map(\.command) == ["sudo chown pi /dev/pts/3"])
    }

    @Test("A broker whose password only the service has isn't tried, and a command says how it would be")
    func withheld() {
        let diagnosis = DoctorFixture.diagnosis(
            ExaminedConfiguration(
                path: "gateway.toml",
                withheld: [.init(purpose: .brokerPassword, location: "mqtt.password-file", credential: "mqtt")]))
        let finding = diagnosis.finding(on: nil, nil)
        #expect(finding.severity == .warning)
        #expect(finding.found.contains("mqtt.password-file is credential:mqtt"))
        #expect(
            finding.remedies[0].command.hasPrefix("sudo systemd-run --pipe --wait --property=LoadCredential=mqtt:FILE ")
        )
        #expect(diagnosis.configurationFile.severity == .ok)
        #expect(diagnosis.configurationFile.found.contains("mqtt.password-file"))
    }

    @Test("A port in use is fine when a gateway has it, else its holder is named")
    func held() {
        var diagnosis = DoctorFixture.diagnosis {
            $0.serialPorts[0].holder = .init(identifier: 5, name: "beacon-gateway")
        }
        #expect(diagnosis.serialPorts.map(\.severity) == [.ok])
        diagnosis.facts.serialPorts[0].holder = .init(identifier: 6, name: "picocom")
        #expect(diagnosis.serialPorts.map(\.severity) == [.warning])
        #expect(diagnosis.serialPorts[0].remedies.map(\.command) == ["sudo kill 6"])
    }

    @Test("ModemManager is a warning where there are modules, and nowhere else")
    func modemManager() {
        var diagnosis = DoctorFixture.diagnosis {
            $0.programs.modemManager = .init(identifier: 9, name: "ModemManager")
        }
        #expect(diagnosis.serialPorts.map(\.severity) == [.ok, .warning])
        #expect(
            diagnosis.serialPorts[1].remedies.map(\.command) == ["sudo systemctl disable --now ModemManager"])
        diagnosis.facts.serialPorts = []
        #expect(diagnosis.serialPorts.map(\.severity) == [.ok])
    }

    @Test("No port is a warning where the inventory has modules")
    func none() {
        let diagnosis = DoctorFixture.diagnosis(ExaminedConfiguration(path: "g.toml", modules: 2)) {
            $0.serialPorts = []
        }
        #expect(diagnosis.serialPorts.map(\.severity) == [.warning])
        #expect(diagnosis.serialPorts[0].found == "no module is connected; the inventory has 2 modules")
    }

    private func broker(_ host: String, _ cause: MQTTError.Cause, hasMosquitto: Bool = false) -> DoctorFinding {
        let broker = BrokerConfiguration(host: host, port: 1883, clientID: "g")
        return DoctorFixture.diagnosis { $0.programs.hasMosquitto = hasMosquitto }
            .finding(on: broker, .failed(MQTTError(broker: "\(host):1883", cause: cause)))
    }

    @Test("Without a configuration no broker is tried; one that accepts is said with its time")
    func accepted() {
        #expect(DoctorFixture.diagnosis().finding(on: nil, nil).severity == .skipped)
        var wrong = DoctorFixture.diagnosis()
        wrong.configuration.problem = "can't be read"
        #expect(wrong.finding(on: nil, nil).found == "not tested: see config")
        let finding = DoctorFixture.diagnosis().finding(
            on: BrokerConfiguration(host: "b", port: 1, clientID: "g"), .accepted(after: .milliseconds(12)))
        #expect(finding.severity == .ok)
        #expect(finding.found == "b:1 accepted the gateway after 12 ms")
    }

    @Test("A broker of this machine is started, or installed")
    func local() {
        let finding = broker("localhost", .system(ECONNREFUSED))
        #expect(finding.severity == .failed)
        #expect(finding.found == "localhost:1883: Connection refused (errno 111)")
        #expect(finding.remedies.map(\.command) == ["sudo apt-get install mosquitto", "sudoedit gateway.toml"])
        #expect(
            broker("localhost", .system(ECONNREFUSED), hasMosquitto: true).remedies.first?.command
                == "sudo systemctl enable --now mosquitto")
    }

    @Test("A broker that answers at another port is named in place of one that is to be started")
    func otherPort() {
        func finding(hasTLS: Bool, _ ports: [UInt16]) -> DoctorFinding {
            var broker = BrokerConfiguration(host: "localhost", port: 1884, clientID: "g")
            if hasTLS { broker.tls = TLSConfiguration() }
            return BrokerOutcome.failed(MQTTError(broker: "localhost:1884", cause: .system(ECONNREFUSED)))
                .finding(of: broker, accepting: "the gateway", hasMosquitto: true, answering: ports) { .edit(nil, $0) }
        }
        let one = finding(hasTLS: false, [1883])
        #expect(one.severity == .failed)
        #expect(one.found == "localhost:1884: Connection refused (errno 111); a broker answers at port 1883")
        #expect(one.remedies.map(\.mends) == ["set mqtt.port to 1883, if that broker is meant"])
        let both = finding(hasTLS: true, [1883, 8883])
        #expect(both.found.hasSuffix("; a broker answers at the ports 1883 and 8883"))
        #expect(
            both.remedies.map(\.mends) == [
                "set mqtt.port to 1883, without TLS, if that broker is meant",
                "set mqtt.port to 8883, if that broker is meant",
            ])
    }

    @Test("A broker elsewhere is looked for by name and port")
    func remote() {
        #expect(
            broker("b.example.org", .system(ETIMEDOUT)).remedies.map(\.command)
                == ["getent hosts b.example.org", "nc -vz b.example.org 1883", "sudoedit gateway.toml"])
    }

    @Test("A broker that refuses needs a correction of the configuration", arguments: [Int32(1), 4, 5, 0x87])
    func refused(reason: Int32) {
        let finding = broker("b.example.org", .refused(reason))
        #expect(finding.severity == .failed)
        #expect(finding.remedies.map(\.command) == ["sudoedit gateway.toml"])
    }
}
