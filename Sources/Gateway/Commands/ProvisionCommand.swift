import ArgumentParser
import BeaconModel
import Glibc
import UARTConfig

struct ProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Makes modules advertise iBeacons: one by its options, or all that an inventory lists.",
        discussion: """
            An RS9116 forgets it when it is reset or loses power; `run` keeps its modules provisioned.

            One module:
              beacon-gateway provision --port /dev/serial/by-id/usb-FTDI_... \\
                --uuid e2c56db5-dffb-48d2-b060-d0f5a71096e0 \\
                --major 1 --minor 2 --measured-power -59
            All modules that are plugged in, several side by side:
              beacon-gateway provision --inventory building.csv --plan
              beacon-gateway provision --inventory building.csv --apply

            With --plan nothing that is on the air changes; a module that waits in its boot loader is started, so that it \
            can say who it is. --apply changes what is different; again, it changes nothing. Who changed what when is \
            kept beside the inventory in FILE.audit.jsonl, and which module has which "any" row in \
            FILE.modules.json.
            """)

    @Option(
        help: ArgumentHelp(
            "A module's serial port; see `beacon-gateway modules`. With --inventory, only these; may be repeated.",
            valueName: "path"))
    var port: [String] = []

    @OptionGroup(title: "One module")
    var beacon: BeaconOptions

    @Option(
        help: ArgumentHelp("A .toml or .csv file that says which module shall advertise what.", valueName: "file"))
    var inventory: String?

    @Flag(help: "Show what --apply would do.")
    var plan = false

    @Flag(help: "Have the modules do what the inventory says.")
    var apply = false

    @Flag(help: "With --apply: provision from a reset even what is right already.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Where to keep the audit log and which module is which (default: beside the inventory).",
            valueName: "directory"))
    var state: String?

    func validate() throws {
        if inventory != nil {
            guard plan != apply else { throw ValidationError("Give --plan or --apply with --inventory.") }
            guard !beacon.isGiven else {
                throw ValidationError("--uuid, --major, --minor and the like are in the inventory.")
            }
            guard !force || apply else { throw ValidationError("--force is for --apply.") }
        } else {
            guard !plan, !apply, !force, state == nil else {
                throw ValidationError("--plan, --apply, --force and --state need --inventory FILE.")
            }
            guard port.count == 1 else {
                throw ValidationError("Give one --port, or an --inventory with --plan or --apply.")
            }
            _ = try beacon.configuration
        }
    }

    func run() async throws {
        try await Terminal.run {
            if let inventory { try await provisionAll(inventory) } else { try await provisionOne() }
        }
    }

    private func provisionOne() async throws {
        let path = port.first ?? ""
        try Terminal.print("port       \(path)")
        _ = try await ModuleProvisioner(port: path, kind: beacon.kind, configuration: try beacon.configuration)
            .provision { step in
                // Nobody reading is no reason to stop half-way.
                try? Terminal.print(step.line)
            }
    }

    private func provisionAll(_ path: String) async throws {
        let files = try ModuleFiles(inventory: path, state: state, actor: Person.name)
        let assignment = ModuleAssignment(inventory: files.inventory, bindings: try files.bindings.read())
        let ports = try ModulePorts.choose(port, assignment)
        let verb = plan ? "looking at" : "provisioning"
        try Terminal.print("\(path): \(files.inventory.entries.count) modules; \(verb) \(ports.count) ports")
        if ports.isEmpty { throw NoModules() }
        let live = LiveLines(isInteractive: Terminal.isInteractive)
        let width = ports.map(\.name.fileName.count).max() ?? 0
        let provisioner = FleetProvisioner(
            plan ? .plan : force ? .applyAll : .apply, files: files, assignment: assignment,
            profile: RS9116Profile()
        ) { port, entry, step in
            let name = port.name.fileName
            let padding = String(repeating: " ", count: max(1, width + 2 - name.count))
            live.set(port.device, name + padding + (entry.map { "\($0.name): " } ?? "") + step.line)
        }
        let report = PlanReport(files.inventory, try await provisioner.run(ports), isApplied: apply)
        try Terminal.print("")
        for line in report.lines { try Terminal.print(line) }
        if plan, report.hasChanges {
            try Terminal.print("Do it with: beacon-gateway provision --inventory \(path) --apply")
        }
        if report.hasFailures { throw ExitCode(ExitStatus.unavailable.rawValue) }
    }
}

/// What one module shall advertise, as options.
struct BeaconOptions: ParsableArguments {
    @Option(help: "Proximity UUID: whose beacon it is.", transform: OptionValue.uuid)
    var uuid: ProximityUUID?

    @Option(help: "0 to 65535, for example the building or floor.", transform: OptionValue.number)
    var major: UInt16?

    @Option(help: "0 to 65535, for example the room.", transform: OptionValue.number)
    var minor: UInt16?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "RSSI at 1 m in dBm, -127 to 20, that receivers compute distance from. Sets no transmit power.",
            valueName: "dBm"), transform: OptionValue.measuredPower)
    var measuredPower: Int8?

    @Option(
        help: "Time between advertisements, 20ms to 10.24s (default: 100ms).", transform: OptionValue.interval)
    var interval: AdvertisingInterval?

    @Option(
        help: ArgumentHelp(
            "How strongly to transmit, in the module's own numbers: rs9116 1-31, 33-63, 64-82; hm10 0-3.",
            valueName: "index"))
    var transmitPower: Int?

    @Option(
        name: .customLong("kind"), help: "The kind of module: rs9116 or hm10 (default: rs9116).",
        transform: OptionValue.kind)
    var givenKind: ModuleKind?

    var kind: ModuleKind { givenKind ?? .rs9116 }

    var isGiven: Bool {
        uuid != nil || major != nil || minor != nil || measuredPower != nil || interval != nil
            || transmitPower != nil || givenKind != nil
    }

    /// - Throws: `ValidationError` for what is missing or what this kind of module can't do.
    var configuration: BeaconConfiguration {
        get throws {
            guard let uuid, let major, let minor, let measuredPower else {
                let missing = [
                    uuid == nil ? "--uuid" : nil, major == nil ? "--major" : nil, minor == nil ? "--minor" : nil,
                    measuredPower == nil ? "--measured-power" : nil,
                ].compactMap { $0 }
                throw ValidationError("Missing \(missing.joined(separator: ", ")).")
            }
            let interval = interval ?? .appleIBeacon
            guard kind.allows(interval) else {
                throw ValidationError("--interval: this module's nearest is \(kind.nearest(to: interval)).")
            }
            if let transmitPower, !kind.allows(transmitPower: transmitPower) {
                throw ValidationError("--transmit-power must be \(kind.transmitPowers).")
            }
            return BeaconConfiguration(
                beacon: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower,
                interval: interval, transmitPower: transmitPower)
        }
    }
}

/// Who is at the keyboard.
enum Person {
    /// Login name, also behind sudo.
    static var name: String {
        if let name = getenv("SUDO_USER").map({ String(cString: $0) }), !name.isEmpty { return name }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "uid \(getuid())" }
        return String(cString: name)
    }
}

/// There is nothing to look at.
struct NoModules: OperatorError {
    var what: String { "no module is plugged in" }
    var meaning: String? { "no serial port has a USB interface that modules are known to have, or one that was named" }
    var remedy: String? { "plug one in and see `beacon-gateway modules`, or name its port with --port" }
    var exitStatus: ExitStatus { .unavailable }
}
