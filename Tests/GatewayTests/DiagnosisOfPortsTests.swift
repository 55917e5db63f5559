import Glibc
import MQTTBridge
import Testing

@testable import Gateway

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
        #expect(diagnosis.serialPorts[0].found == "no module is plugged in; the inventory has 2 modules")
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
        #expect(wrong.finding(on: nil, nil).found == "not tried: see config")
        let finding = DoctorFixture.diagnosis().finding(
            on: BrokerConfiguration(host: "b", port: 1, clientID: "g"), .accepted(after: .milliseconds(12)))
        #expect(finding.severity == .ok)
        #expect(finding.found == "b:1 accepts, after 12 ms")
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
