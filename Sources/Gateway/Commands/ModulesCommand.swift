import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayCore
import GatewayDaemon
import ModuleDialogues
import OperatorText
import RecordContract
import UARTConfig

struct ModulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modules",
        abstract: "Lists connected modules: port, address, firmware, state.",
        discussion: """
            Identifies the module on each port that has a known USB interface, without changing what is being \
            advertised. A running gateway is asked for the modules on the ports that it holds, at its local socket. A \
            port in use by another program is listed but not opened.
            """)

    @Option(help: ArgumentHelp("Also identify the module on this port; may be repeated.", valueName: "path"))
    var port: [String] = []

    @OptionGroup(title: "Inventory rows of the modules")
    var options: InventoryOptions

    @Flag(help: "List the ports without identifying the modules.")
    var noAsk = false

    @Flag(help: "Print one JSON document per line.")
    var json = false

    private struct Document: Encodable {
        var port: String
        var usb: String?
        var serial: String?
        var address: String?
        var firmware: String?
        /// Name of the inventory row.
        var module: String?
        var state: String?
        /// Whether the module reports that it listens; omitted when it does not report it.
        var listens: Bool?
    }

    func run() async throws {
        try await Terminal.run {
            let files = try options.read()
            let assignment = ModuleAssignment(
                inventory: files?.inventory ?? Inventory(), bindings: try files?.knownBindings() ?? [:])
            let held = await HeldPorts.ask(
                files?.localSockets
                    ?? LocalSocketSetting.automatic.paths(stateDirectory: Configuration.defaultStateDirectory))
            let ports = try ports(assignment, held)
            if ports.isEmpty { throw NoModules() }
            tell(ports, held)
            var table = TextTable([
                ("PORT", .left), ("USB", .left), ("SERIAL", .left), ("ADDRESS", .left), ("FIRMWARE", .left),
                ("STATE", .left),
            ])
            let answers = await withTaskGroup(of: (Int, Answer).self) { group in
                for (index, port) in ports.enumerated() {
                    group.addTask {
                        if held.contains(port) { return (index, Answer(held, port)) }
                        if noAsk { return (index, Answer()) }
                        return (index, await Self.ask(port, assignment))
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for (index, port) in ports.enumerated() {
                let answer = answers[index] ?? Answer()
                if json {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                port: port.name, usb: port.usb?.id, serial: port.usb?.serial,
                                address: answer.address, firmware: answer.firmware,
                                module: answer.module ?? (files == nil ? nil : answer.entry(assignment, port)?.name),
                                state: noAsk && answer.held == nil ? nil : answer.state(files, assignment, port),
                                listens: answer.listens)))
                    continue
                }
                table.add([
                    port.name, port.usb.map { $0.id } ?? "-", port.usb?.serial ?? "-",
                    answer.address ?? "-", answer.firmware ?? "-",
                    noAsk && answer.held == nil
                        ? (port.usb?.text ?? "-") : answer.state(files, assignment, port),
                ])
            }
            if !json { try Terminal.print(table) }
        }
    }

    private func tell(_ ports: [SerialPortDescription], _ held: HeldPorts) {
        let known = ports.count(where: held.contains)
        if known > 0, let process = held.process {
            Terminal.note("the running gateway (process \(process)) holds \(known == 1 ? "1 port" : "\(known) ports")")
        }
        let asked = noAsk ? 0 : ports.count - known
        if asked > 0 { Terminal.note("asking \(asked) \(asked == 1 ? "port" : "ports")") }
    }

    private func ports(_ assignment: ModuleAssignment, _ held: HeldPorts) throws -> [SerialPortDescription] {
        let all = try SerialPorts.all()
        let named = port.map { name in
            all.first { $0.isCalled(name) } ?? SerialPortDescription(device: name, names: [], usb: nil)
        }
        let known = all.filter { port in
            let isOfModule = port.usb.map { USBIdentity.ofModules.contains($0.id) } == true
            return (isOfModule || assignment.isOfInterest(port)) && !named.contains(port)
        }
        let outside = FleetService.portsOutsideUdev(assignment.inventory).filter { !named.contains($0) }
        let listed = known + outside + named
        let further = held.devices.filter { device in !listed.contains { $0.isCalled(device) } }.map { device in
            all.first { $0.isCalled(device) } ?? SerialPortDescription(device: device, names: [], usb: nil)
        }
        return listed + further
    }

    static func ask(_ port: SerialPortDescription, _ assignment: ModuleAssignment) async -> Answer {
        var answer = Answer()
        let wanted = assignment.entry(for: port).map { [$0.kind] } ?? ModuleKind.allCases
        for kind in wanted {
            answer = Answer(kind: kind)
            do {
                let link = try ModuleLink(port: port.name, dialogue: kind.dialogue())
                for try await event in link.events {
                    if case .changed(.identified(let identity)) = event {
                        answer.identity = identity
                        link.post(.assigned(nil))
                    }
                    if case .changed(.failed(let error)) = event { answer.error = error }
                }
            } catch {
                answer.error = error
            }
            guard answer.identity == nil, (answer.error as? ProvisioningError)?.mayBeOfAnotherKind == true else {
                break
            }
        }
        return answer
    }

    struct Answer: Sendable {
        var kind: ModuleKind?
        var identity: ModuleIdentity?
        var error: (any Error)?
        /// What the running gateway tells; `nil` for a port that it does not hold.
        var held: Held?

        /// What the running gateway knows of a port that it holds.
        enum Held: Sendable {
            case module(LocalStatus.Module)
            case other(LocalStatus.OtherPort)
            /// The module has not been identified yet.
            case unknown
        }

        init(kind: ModuleKind? = nil) { self.kind = kind }

        init(_ held: HeldPorts, _ port: SerialPortDescription) {
            self.held =
                if let module = held.module(on: port) {
                    .module(module)
                } else {
                    held.problem(of: port).map { .other($0) } ?? .unknown
                }
        }

        var address: String? {
            switch held {
            case .module(let module)?: module.address
            case .other(let other)?: other.address
            case .unknown?: nil
            case nil: identity?.address.description
            }
        }

        var firmware: String? {
            if case .module(let module)? = held { module.firmware } else { identity?.firmware }
        }

        var module: String? {
            if case .module(let module)? = held { module.name } else { nil }
        }

        var listens: Bool? {
            if case .module(let module)? = held {
                module.listening.map { $0 == "listening" || $0 == "in-turns" }
            } else {
                identity?.isListening
            }
        }

        func entry(_ assignment: ModuleAssignment, _ port: SerialPortDescription) -> InventoryEntry? {
            guard let kind, let identity else { return nil }
            return assignment.choose(identity.address, kind, port, applied: identity.applied)
        }

        func state(_ files: ModuleFiles?, _ assignment: ModuleAssignment, _ port: SerialPortDescription) -> String {
            switch held {
            case .module(let module)?:
                return "\(module.name): \(module.state) \(module.beacon), \(module.measuredPower) dBm"
                    + (listens == true ? ", listens" : "") + (module.error.map { "; \($0)" } ?? "")
            case .other(let other)?: return other.error
            case .unknown?: return "is being identified by the running gateway"
            case nil: break
            }
            guard let identity else { return error?.inOneLine ?? "did not identify itself" }
            let isWanted = entry(assignment, port)?.listens == true
            let listening = identity.isListening == true ? ", listens" : isWanted ? ", is not listening" : ""
            return advertising(identity, files, assignment, port) + listening
        }

        private func advertising(
            _ identity: ModuleIdentity, _ files: ModuleFiles?, _ assignment: ModuleAssignment,
            _ port: SerialPortDescription
        ) -> String {
            let entry = entry(assignment, port)
            let lost = assignment.lostEntry(of: identity.address).map { "its row \($0) no longer exists: " }
            let row = files == nil ? "" : entry.map { "\($0.name): " } ?? lost ?? "not in the inventory: "
            let known = files?.knownConfigurations ?? [:]
            switch identity.applied {
            case .none, .stopped, .readBack(nil): return row + "advertises nothing"
            case .unknown: return row + "is running; unknown whether or what it advertises"
            case .readBack(let found?): return row + "advertises \(found.beacon), \(found.measuredPower) dBm"
            case .marked(let mark):
                // The module reports the configuration it was given, not what it advertises.
                guard let found = known[mark] else {
                    return row + "was provisioned with a configuration unknown here"
                }
                return row + "was provisioned with \(found.beacon), \(found.measuredPower) dBm"
            }
        }
    }
}
