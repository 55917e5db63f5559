import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import GatewayCore
import GatewayDaemon
import HCI
import ModuleDialogues
import OperatorText
import Publishing
import RecordContract
import Setup
import SystemIO

/// Checks answers to the questions of a gateway's setup. What it finds are the doctor's findings.
struct GatewayAnswerChecks {
    /// Password of the present configuration.
    var password: String?

    func run(
        _ test: GatewaySetup.Test, _ interview: SetupInterview<GatewaySetup>
    ) async throws -> ([DoctorFinding], [FoundModule]?) {
        let answers = interview.answers
        switch test {
        case .broker: return ([await broker(answers, interview.script)], nil)
        case .clock: return ([try await diagnosis(answers, interview.script).clock], nil)
        case .disk: return ([try await diagnosis(answers, interview.script).disk], nil)
        case .radio:
            let diagnosis = try await diagnosis(answers, interview.script)
            return (
                diagnosis.radioSwitches + diagnosis.adapters + [diagnosis.privileges, diagnosis.otherPrograms], nil
            )
        case .modules: return try await modules(answers, interview.script)
        }
    }

    private func broker(_ answers: SetupAnswers, _ script: GatewaySetup) async -> DoctorFinding {
        let place = Place(
            site: answers["place.site"] ?? "", building: answers["place.building"] ?? "",
            floor: answers["place.floor"] ?? "", gateway: answers["place.gateway"] ?? "")
        let topics = Topics(prefix: answers["mqtt.prefix"] ?? "beacons", place: place)
        let broker = script.brokerQuestions.broker(
            answers, clientID: Configuration.clientID(of: place), password: password)
        return await BrokerTest.finding(
            broker, of: "the gateway", publishing: topics.reply("doctor"),
            subscribing: [topics.commands, topics.stored],
            createsUser: answers.isYes("mqtt.create-user"), hasMosquitto: script.machine.broker != .none)
    }

    private func diagnosis(_ answers: SetupAnswers, _ script: GatewaySetup) async throws -> Diagnosis {
        let selectors = answers.list("radio.adapter").compactMap { AdapterSelector($0) }
        let facts = try await GatewaySetupTask.facts(
            answers.given("state.directory"), Self.inventory(with: answers.list("modules.ports"), script.inventory))
        var examined = ExaminedConfiguration(
            // The doctor judges a gateway that is about to be started more strictly than a machine.
            path: "gateway.toml",
            adapters: selectors.isEmpty ? [.index(Adapter(index: 0))] : selectors, scanPath: .automatic(),
            isAutomatic: true, modules: script.inventory.entries.count)
        examined.outboxBytes = OutboxRules().bytes
        return Diagnosis(facts: facts, configuration: examined)
    }

    /// Returns an inventory with a row for each further port, so that its facts are collected.
    private static func inventory(with ports: [String], _ inventory: Inventory) -> Inventory {
        var inventory = inventory
        for (index, path) in ports.enumerated() {
            inventory.entries.append(
                InventoryEntry(
                    name: "port-\(index)", module: .port(path),
                    configuration: BeaconConfiguration(
                        beacon: BeaconID(
                            uuid: ProximityUUID(bits: 0), major: 0, minor: UInt16(clamping: index)),
                        measuredPower: -59, interval: .appleIBeacon, transmitPower: nil)))
        }
        return inventory
    }

    private func modules(
        _ answers: SetupAnswers, _ script: GatewaySetup
    ) async throws -> ([DoctorFinding], [FoundModule]) {
        var diagnosis = try await diagnosis(answers, script)
        let missing = answers.list("modules.ports").filter { !SystemFiles.exists($0) }
        diagnosis.facts.serialPorts.removeAll { missing.contains($0.device) }
        let ports = diagnosis.facts.serialPorts
        let assignment = ModuleAssignment(inventory: script.inventory)
        var findings: [DoctorFinding] = []
        var found: [FoundModule] = []
        for path in missing {
            // The port's own error says what to do.
            let answer = await Self.ask(SerialPortDescription(device: path, names: [], usb: nil))
            findings.append(Self.silence(of: path, answer.error))
        }
        let judged = diagnosis.serialPorts
        let held = await HeldPorts.ask(
            LocalSocketSetting.automatic.paths(
                stateDirectory: answers.given("state.directory") ?? Configuration.defaultStateDirectory))
        let answers = await withTaskGroup(of: (Int, ModulesCommand.Answer).self) { group in
            for (index, port) in ports.enumerated() where port.isPermitted {
                // An emulated module is at a pseudo-terminal, which its emulator has open.
                let isEmulated = SystemFiles.real(port.device).hasPrefix("/dev/pts/")
                guard port.holder == nil || isEmulated else { continue }
                let description = SerialPortDescription(device: port.device, names: [port.name], usb: nil)
                group.addTask { (index, await Self.ask(description)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (index, port) in ports.enumerated() {
            let description = SerialPortDescription(device: port.device, names: [port.name], usb: nil)
            guard let answer = answers[index] else {
                if let module = FoundModule(held.module(on: description), at: port.name) {
                    found.append(module)
                    findings.append(Self.finding(module))
                    continue
                }
                // Another program has it, or this user may not open it.
                guard judged.indices.contains(index) else { continue }
                var finding = judged[index]
                if finding.severity == .warning { finding.severity = .failed }
                findings.append(finding)
                continue
            }
            guard let kind = answer.kind, let identity = answer.identity else {
                findings.append(Self.silence(of: port.name, answer.error))
                continue
            }
            let row = assignment.choose(identity.address, kind, description, applied: identity.applied)
            let state = answer.state(nil, assignment, description)
            let module = FoundModule(
                port: port.name, address: identity.address, kind: kind, firmware: identity.firmware, state: state,
                row: row?.name, beacon: identity.applied.beacon)
            found.append(module)
            findings.append(Self.finding(module))
        }
        // What is said of no port, and of programs that disturb modules.
        return (findings + judged.dropFirst(ports.count), found)
    }

    private static func finding(_ module: FoundModule) -> DoctorFinding {
        DoctorFinding(
            "serial", .ok,
            "\(module.port): \(module.kind.rawValue) \(module.address), firmware \(module.firmware), "
                + (module.row.map { "\($0) in the inventory" } ?? "not in the inventory") + ", \(module.state)")
    }

    private static func ask(_ port: SerialPortDescription) async -> ModulesCommand.Answer {
        await ModulesCommand.ask(port, ModuleAssignment(inventory: Inventory()))
    }

    private static func silence(of port: String, _ error: (any Error)?) -> DoctorFinding {
        let remedy = (error as? any OperatorError)?.remedy ?? "check its power and its cable"
        return DoctorFinding(
            "serial", .failed, "\(port): \(error?.inOneLine ?? "the module did not identify itself")",
            [.edit(nil, remedy)])
    }
}

extension FoundModule {
    /// Creates a module from what the running gateway tells of it; `nil` for one that it has not identified.
    fileprivate init?(_ module: LocalStatus.Module?, at port: String) {
        guard let module, let kind = ModuleKind(rawValue: module.kind),
            let address = module.address.flatMap({ BluetoothAddress($0) }), let firmware = module.firmware
        else { return nil }
        self.init(
            port: port, address: address, kind: kind, firmware: firmware,
            state: "\(module.state), used by the running gateway", row: module.name,
            beacon: BeaconID(module.beacon))
    }
}

extension AppliedConfiguration {
    /// The beacon, if the module tells it.
    fileprivate var beacon: BeaconID? {
        if case .readBack(let configuration?) = self { return configuration.beacon }
        return nil
    }
}
