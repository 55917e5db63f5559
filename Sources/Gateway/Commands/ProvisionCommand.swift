import ArgumentParser
import BeaconModel
import CommandSupport
import SystemIO
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

    @Option(help: ArgumentHelp("What is known of the module: a profile of `module probe`.", valueName: "file"))
    var profile: String?

    @Option(help: ArgumentHelp("Record all that crosses the line to this file, for a bug report.", valueName: "file"))
    var trace: String?

    func validate() throws {
        if inventory != nil {
            guard plan != apply else { throw ValidationError("Give --plan or --apply with --inventory.") }
            guard !beacon.isGiven else {
                throw ValidationError("--uuid, --major, --minor and the like are in the inventory.")
            }
            guard !force || apply else { throw ValidationError("--force is for --apply.") }
            guard trace == nil else { throw ValidationError("--trace records one module: give its --port alone.") }
        } else {
            guard !plan, !apply, !force, state == nil else {
                throw ValidationError("--plan, --apply, --force and --state need --inventory FILE.")
            }
            guard port.count == 1 else {
                throw ValidationError("Give one --port, or an --inventory with --plan or --apply.")
            }
            _ = try beacon.configuration()
        }
    }

    func run() async throws {
        try await Terminal.run {
            let known = try profile.map { try RS9116ProfileFile.load($0) }
            if let inventory {
                try await provisionAll(inventory, known?.profile ?? RS9116Profile())
            } else {
                try await provisionOne(known)
            }
        }
    }

    private func provisionOne(_ known: RS9116ProfileFile?) async throws {
        let path = port.first ?? ""
        let recording = try trace.map { try SerialTraceFile(recordedBy: $0, port: path) }
        try Terminal.print("port       \(path)")
        let provisioner = ModuleProvisioner(
            port: path, kind: beacon.kind, configuration: try beacon.configuration(),
            profile: known?.profile ?? RS9116Profile(), tap: recording?.tap)
        _ = try await provisioner.provision { step in
            // Nobody reading is no reason to stop half-way.
            try? Terminal.print(step.line)
            if case .address(let address) = step, let other = known?.address, other != address {
                Terminal.note("warning: the profile is that of the module \(other)")
            }
        }
        if let error = recording?.error { throw error }
    }

    private func provisionAll(_ path: String, _ known: RS9116Profile) async throws {
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
            profile: known
        ) { port, entry, step in
            let name = port.name.fileName
            let padding = String(repeating: " ", count: max(1, width + 2 - name.count))
            live.set(port.device, name + padding + (entry.map { "\($0.name): " } ?? "") + step.line)
        }
        try await provisioner.prepare()
        let outcomes = await provisioner.run(ports)
        // What was done is told, whether it can be kept or not.
        var unrecorded: SystemError?
        do throws(SystemError) { try await provisioner.record(outcomes) } catch { unrecorded = error }
        let report = PlanReport(files.inventory, outcomes, isApplied: apply)
        try Terminal.print("")
        for line in report.lines { try Terminal.print(line) }
        for error in report.errors { Terminal.note(error) }
        if plan, report.hasChanges {
            let options = port.map { " --port \($0)" }.joined() + (state.map { " --state \($0)" } ?? "")
            try Terminal.print("Do it with: beacon-gateway provision --inventory \(path) --apply\(options)")
        }
        if let unrecorded { throw unrecorded }
        if report.hasFailures { throw ExitCode(ExitStatus.unavailable.rawValue) }
    }
}
