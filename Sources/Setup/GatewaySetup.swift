package import BeaconModel
package import ModuleDialogues
import OperatorText
import RecordContract

/// The setup of a gateway: place, broker, radio, modules.
package struct GatewaySetup: SetupScript {
    package enum Test: String, SetupTest, CaseIterable {
        case broker, clock, disk, radio, modules

        package var key: String { rawValue }

        package var questions: [String] {
            switch self {
            case .broker: BrokerQuestions.tested
            case .clock, .disk: []
            case .radio: ["radio.adapter"]
            case .modules: ["modules.ports"]
            }
        }

        package var progress: String {
            switch self {
            case .broker: "connecting to the broker"
            case .clock: "looking at the clock"
            case .disk: "looking at the disk"
            case .radio: "looking at the radio"
            case .modules: "asking the modules who they are"
            }
        }
    }

    /// Facts about the machine, gathered before the first question.
    package struct Machine: Sendable {
        package var hostName: String
        /// Names of the Bluetooth adapters, with their descriptions.
        package var adapters: [String]
        package var broker: BrokerQuestions.LocalBroker
        /// A new UUID, for a site that has none yet.
        package var freshUUID: ProximityUUID

        package init(
            hostName: String, adapters: [String], broker: BrokerQuestions.LocalBroker, freshUUID: ProximityUUID
        ) {
            self.hostName = hostName
            self.adapters = adapters
            self.broker = broker
            self.freshUUID = freshUUID
        }
    }

    package var machine: Machine
    package var present: PresentConfiguration
    /// Modules of the present configuration.
    package var inventory: Inventory
    package private(set) var modules: [FoundModule] = []
    package var brokerQuestions: BrokerQuestions

    package init(machine: Machine, present: PresentConfiguration, inventory: Inventory = Inventory()) {
        self.machine = machine
        self.present = present
        self.inventory = inventory
        brokerQuestions = BrokerQuestions(present: present, local: machine.broker)
        brokerQuestions.hostName = machine.hostName
        brokerQuestions.usesListenerOfGateways = true
    }

    /// Keys of an answers file.
    package static let keys: [String] =
        [
            "place.site", "place.building", "place.floor", "place.gateway", "radio.adapter", "state.directory",
            "beacons.uuids", "modules.ports", "modules.provision", "modules.uuid", "modules.major",
            "modules.first-minor", "modules.measured-power", "modules.as-proposed",
        ] + BrokerQuestions.keys

    package mutating func learn(_ modules: [FoundModule]) { self.modules = modules }

    /// Name that `users.py` gives this gateway.
    package static func user(_ answers: SetupAnswers) -> String {
        ["site", "building", "floor", "gateway"].map { answers["place.\($0)"] ?? "" }.joined(separator: "/")
    }

    package func steps(_ answers: SetupAnswers) -> [SetupStep<Test>] {
        var steps = placeQuestions(answers).map { SetupStep<Test>.question($0) }
        steps += brokerQuestions.questions(answers, user: Self.user(answers)).map { .question($0) }
        steps += [.test(.broker), .test(.clock), .question(stateQuestion), .test(.disk), .question(adapterQuestion)]
        steps += [.test(.radio), .question(portsQuestion), .test(.modules)]
        steps += moduleQuestions(answers).map { .question($0) }
        return steps + [.question(listeningQuestion(answers))]
    }

    private func placeQuestions(_ answers: SetupAnswers) -> [SetupQuestion] {
        let proposals: [String: String] = [
            "gateway": AnswerRules.suggestedLevel(String(machine.hostName.prefix { $0 != "." }))
        ]
        let texts = [
            ("site", "Site"), ("building", "Building"), ("floor", "Floor"), ("gateway", "Name of this gateway"),
        ]
        return texts.map { key, text in
            SetupQuestion(
                "place.\(key)", heading: "Place", text,
                explanation: key == "site"
                    ? "These four become levels of the MQTT topics: a-z, 0-9 and hyphens. No two gateways can have "
                        + "all four alike."
                    : nil,
                proposal: present.answer("place", key) ?? proposals[key].flatMap { $0.isEmpty ? nil : $0 },
                rule: { text in
                    let checked = AnswerRules.level(text)
                    guard key == "gateway", case .accepted(let name) = checked else { return checked }
                    let place = Place(
                        site: answers["place.site"] ?? "", building: answers["place.building"] ?? "",
                        floor: answers["place.floor"] ?? "", gateway: name)
                    let prefix = answers["mqtt.prefix"] ?? "beacons"
                    guard Topics(prefix: prefix, place: place).isShortEnough else {
                        return .refused(
                            found: "is too long: the topics would be longer than \(Topics.longestTopic) bytes",
                            allowed: "must be shorter, or site, building or floor must be")
                    }
                    return checked
                })
        }
    }

    private var stateQuestion: SetupQuestion {
        SetupQuestion(
            "state.directory", heading: "Machine", "State directory",
            proposal: present.answer("state", "directory") ?? "", isQuiet: true, rule: AnswerRules.absolutePath)
    }

    private var adapterQuestion: SetupQuestion {
        let chosen = present.answer("radio", "adapter") ?? present.answer("radio", "adapters")
        return SetupQuestion(
            "radio.adapter", heading: "Radio", "Bluetooth adapter",
            explanation: machine.adapters.count > 1
                ? "The gateway can listen with several adapters: hci0, hci1." : nil,
            details: machine.adapters.map { "    " + $0 }, proposal: chosen ?? "hci0",
            rule: { text in
                var names: [String] = []
                for name in text.listed {
                    let isName =
                        name.hasPrefix("hci") && UInt16(name.dropFirst(3)) != nil || BluetoothAddress(name) != nil
                    guard isName else {
                        return .refused(
                            found: SetupQuestion.found(name),
                            allowed: "must be hci0, hci1, ..., or an adapter's address: 00:1A:7D:DA:71:13")
                    }
                    if names.contains(name) {
                        return .refused(found: "\(name) is named twice", allowed: "name each once")
                    }
                    names.append(name)
                }
                return .accepted(names.joined(separator: ", "))
            })
    }

    private var portsQuestion: SetupQuestion {
        SetupQuestion(
            "modules.ports", heading: "Modules", "Other serial ports with modules",
            explanation: "Modules on USB are found by themselves. Modules are not needed to receive beacons.",
            proposal: "",
            rule: { text in
                for path in text.listed where !path.hasPrefix("/") || path.utf8.count > 4095 {
                    return .refused(
                        found: SetupQuestion.found(path), allowed: "must be paths of serial ports: /dev/ttyUSB0")
                }
                return .accepted(text.listed.joined(separator: ", "))
            })
    }
}
