import BeaconModel
import ModuleDialogues
import OperatorText

@testable import Setup

/// A gateway's setup on a machine with one adapter and no broker, and what it says.
enum SetupFixture {
    static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

    /// Answers that lead to a whole configuration without modules.
    static let answers = [
        "place.site": "campus", "place.building": "main", "place.floor": "1", "place.gateway": "east",
        "mqtt.host": "broker.example.org", "mqtt.tls": "yes", "mqtt.password": "secret", "beacons.uuids": uuid,
    ]

    static func script(
        present text: String? = nil, hostName: String = "pi-7", broker: BrokerQuestions.LocalBroker = .none,
        inventory: Inventory = Inventory()
    ) -> GatewaySetup {
        let machine = GatewaySetup.Machine(
            hostName: hostName, adapters: ["hci0  00:1A:7D:DA:71:13"], broker: broker,
            freshUUID: ProximityUUID(bits: 7))
        var present = PresentConfiguration.new(GatewaySetup.notes)
        if let text, let editor = try? TOMLEditor(text) { present = PresentConfiguration(editor: editor) }
        return GatewaySetup(machine: machine, present: present, inventory: inventory)
    }

    static func interview(
        _ script: GatewaySetup = script(), given: [String: String] = [:], keepAnyway: Set<String> = [],
        canAsk: Bool = true
    ) -> SetupInterview<GatewaySetup> {
        SetupInterview(script, given: given, keepAnyway: keepAnyway, canAsk: canAsk)
    }

    static let module = FoundModule(
        port: "/dev/ttyUSB0", address: BluetoothAddress(bits: 0x88DA_1AE8_066F), kind: .rs9116, firmware: "1610.2.5",
        state: "advertises nothing")

    static let paths = GatewaySetup.Paths(
        configuration: "/etc/beacon-gateway/gateway.toml", passwordFile: "/etc/beacon-gateway/mqtt-password")
}

extension SetupInterview {
    /// Handles events until something is asked, tested or ended; tests find nothing unless `findings` says so.
    ///
    /// - Returns: everything that was said, in lines; and the last effect.
    mutating func pass(
        _ event: Event, findings: [String: [DoctorFinding]] = [:], knowledge: Script.Knowledge? = nil
    ) -> (said: [String], last: Effect?) {
        var said: [String] = []
        var effects = handle(event)
        while true {
            said += effects.compactMap(\.text)
            guard case .test(let test)? = effects.last else { return (said, effects.last) }
            effects = handle(.tested(findings[test.key] ?? [], test.key == "modules" ? knowledge : nil))
        }
    }
}

extension SetupInterview.Effect {
    /// What a person reads of it.
    var text: String? {
        switch self {
        case .say(.heading(let text)), .say(.paragraph(let text)), .say(.line(let text)): text
        case .say(.answer(let question, let answer, let source)): "\(question): \(answer) (\(source.rawValue))"
        case .say(.refused(let found, let allowed)): "\(found); \(allowed)"
        case .say(.finding(let finding)): "\(finding.severity.rawValue) \(finding.subject) \(finding.found)"
        case .ask(let question): question.prompt
        case .failed(let failure): failure.description
        case .test, .finished: nil
        }
    }

    /// Key of the question that is asked.
    var asked: String? {
        if case .ask(let question) = self { return question.key }
        return nil
    }

    var failure: SetupFailure? {
        if case .failed(let failure) = self { return failure }
        return nil
    }

    var isFinished: Bool {
        if case .finished = self { return true }
        return false
    }
}
