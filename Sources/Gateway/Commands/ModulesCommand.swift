import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
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
            advertised. A port in use by the daemon or another program is listed but not opened.
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
            let ports = try ports(assignment)
            if ports.isEmpty { throw NoModules() }
            if !noAsk { Terminal.note("asking \(ports.count) \(ports.count == 1 ? "port" : "ports")") }
            var table = TextTable([
                ("PORT", .left), ("USB", .left), ("SERIAL", .left), ("ADDRESS", .left), ("FIRMWARE", .left),
                ("STATE", .left),
            ])
            let answers = await withTaskGroup(of: (Int, Answer).self) { group in
                for (index, port) in ports.enumerated() {
                    group.addTask {
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
                                address: answer.identity?.address.description, firmware: answer.identity?.firmware,
                                module: files == nil ? nil : answer.entry(assignment, port)?.name,
                                state: noAsk ? nil : answer.state(files, assignment, port),
                                listens: answer.identity?.isListening)))
                    continue
                }
                table.add([
                    port.name, port.usb.map { $0.id } ?? "-", port.usb?.serial ?? "-",
                    answer.identity?.address.description ?? "-", answer.identity?.firmware ?? "-",
                    noAsk ? (port.usb?.text ?? "-") : answer.state(files, assignment, port),
                ])
            }
            if !json { try Terminal.print(table) }
        }
    }

    private func ports(_ assignment: ModuleAssignment) throws -> [SerialPortDescription] {
        let all = try SerialPorts.all()
        let named = port.map { name in
            all.first { $0.isCalled(name) } ?? SerialPortDescription(device: name, names: [], usb: nil)
        }
        let known = all.filter { port in
            let isOfModule = port.usb.map { USBIdentity.ofModules.contains($0.id) } == true
            return (isOfModule || assignment.isOfInterest(port)) && !named.contains(port)
        }
        let outside = FleetService.portsOutsideUdev(assignment.inventory).filter { !named.contains($0) }
        return known + outside + named
    }

    private static func ask(_ port: SerialPortDescription, _ assignment: ModuleAssignment) async -> Answer {
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

    private struct Answer: Sendable {
        var kind: ModuleKind?
        var identity: ModuleIdentity?
        var error: (any Error)?

        func entry(_ assignment: ModuleAssignment, _ port: SerialPortDescription) -> InventoryEntry? {
            guard let kind, let identity else { return nil }
            return assignment.choose(identity.address, kind, port, applied: identity.applied)
        }

        func state(_ files: ModuleFiles?, _ assignment: ModuleAssignment, _ port: SerialPortDescription) -> String {
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
