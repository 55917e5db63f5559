import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayDaemon
import ModuleDialogues
import OperatorText
import RecordContract
import SystemIO
import UARTConfig

struct ProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Provisions modules as iBeacons: one by its options, or all modules of an inventory.",
        discussion: """
            An RS9116 loses its configuration when it is reset or loses power; `run` keeps its modules provisioned.

            One module:
              beacon-gateway provision --port /dev/serial/by-id/usb-FTDI_... \\
                --uuid e2c56db5-dffb-48d2-b060-d0f5a71096e0 \\
                --major 1 --minor 2 --measured-power -59
            All connected modules, several at a time:
              beacon-gateway provision --config gateway.toml --plan
              beacon-gateway provision --config gateway.toml --apply

            With --plan nothing that is being advertised changes; only a module that waits in its boot loader is \
            started, to identify it. --apply changes what differs; a second --apply changes nothing.

            The bindings of modules to "any" rows (modules.json) and the audit log of all changes (audit.jsonl) are \
            kept in the gateway's state directory, where `run` uses them too. On a machine without a gateway, \
            --inventory keeps them next to the inventory, in FILE.modules.json and FILE.audit.jsonl; a gateway with \
            that inventory takes them over. A module that is bound to a row keeps it until --rebind releases the row.

            Exit status: 0 nothing is left to change, 1 --plan found changes, 69 a module failed or is missing, 78 \
            invalid inventory.
            """)

    @Option(
        help: ArgumentHelp(
            "A module's serial port; see `beacon-gateway modules`. With --inventory, provision only these ports; may "
                + "be repeated.",
            valueName: "path"))
    var port: [String] = []

    @OptionGroup(title: "One module")
    var beacon: BeaconOptions

    @OptionGroup(title: "All modules")
    var modules: InventoryOptions

    @Flag(help: "Show the changes that --apply would make.")
    var plan = false

    @Flag(help: "Provision the modules as the inventory specifies.")
    var apply = false

    @Flag(help: "With --apply: reset and provision even modules that are already correct.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Release this \"any\" row from its module, so that another module can take it; may be repeated.",
            valueName: "row"))
    var rebind: [String] = []

    @Flag(help: "With --plan or --apply: print one JSON document per line.")
    var json = false

    @Option(help: ArgumentHelp("Profile of the module, from `module probe`.", valueName: "file"))
    var profile: String?

    @Option(help: ArgumentHelp("Record all serial traffic to this file, for a bug report.", valueName: "file"))
    var trace: String?

    func validate() throws {
        if modules.isGiven {
            guard plan != apply else {
                throw ValidationError("Specify --plan or --apply with --config or --inventory.")
            }
            guard !beacon.isGiven else {
                throw ValidationError("--uuid, --major, --minor and similar options come from the inventory.")
            }
            guard !force || apply else { throw ValidationError("--force requires --apply.") }
            guard trace == nil else {
                throw ValidationError("--trace records a single module: specify only its --port.")
            }
        } else {
            guard !plan, !apply, !force, !json, rebind.isEmpty else {
                throw ValidationError(
                    "--plan, --apply, --force, --json and --rebind require --config FILE or --inventory FILE.")
            }
            guard port.count == 1 else {
                throw ValidationError("Specify one --port, or --config or --inventory with --plan or --apply.")
            }
            _ = try beacon.configuration()
        }
    }

    func run() async throws {
        try await Terminal.run {
            let known = try profile.map { try RS9116ProfileFile.load($0) }
            if let files = try modules.read() {
                try await provisionAll(files, known?.profile ?? files.profile)
            } else {
                try await provisionOne(known)
            }
        }
    }

    private func provisionOne(_ known: RS9116ProfileFile?) async throws {
        let path = port.first ?? ""
        let recording = try trace.map { try SerialTraceFile(recordedBy: $0, port: path) }
        try recording?.begin()
        try Terminal.print("port       \(path)")
        let provisioner = ModuleProvisioner(
            port: path, kind: beacon.kind, configuration: try beacon.configuration(),
            profile: known?.profile ?? RS9116Profile(), tap: recording?.tap)
        _ = try await provisioner.provision { step in
            // Closed output is no reason to stop half-way.
            try? Terminal.print(step.line)
            if case .address(let address) = step, let other = known?.address, other != address {
                Terminal.note("warning: the profile belongs to the module \(other)")
            }
        }
        if let error = recording?.error { throw error }
    }

    /// Returns the assignment of modules to rows. With --apply, claims the gateway's state until the end, so that no
    /// gateway writes it in the meantime.
    private func claimedAssignment(_ files: ModuleFiles) throws -> ModuleAssignment {
        if apply, let directory = files.stateDirectory { try StateClaim.take(directory) }
        var assignment = ModuleAssignment(inventory: files.inventory, bindings: try files.knownBindings())
        for name in rebind {
            guard assignment.bindings.values.contains(name) else {
                throw NothingToRebind(name: name, bound: assignment.bindings.values.sorted())
            }
            assignment.unbind(name)
        }
        return assignment
    }

    private func provisionAll(_ files: ModuleFiles, _ known: RS9116Profile) async throws {
        let assignment = try claimedAssignment(files)
        let ports = try ModulePorts.choose(port, assignment)
        let verb = plan ? "examining" : "provisioning"
        let heading = "\(files.source): \(files.inventory.entries.count) modules; \(verb) \(ports.count) ports"
        if json { Terminal.note(heading) } else { try Terminal.print(heading) }
        if ports.isEmpty { throw NoModules() }
        let live = LiveLines(isInteractive: Terminal.isInteractive)
        let width = ports.map(\.name.fileName.count).max() ?? 0
        let provisioner = FleetProvisioner(
            plan ? .plan : force ? .applyAll : .apply, files: files, assignment: assignment,
            profile: known
        ) { [json] port, entry, step in
            let name = port.name.fileName
            let padding = String(repeating: " ", count: max(1, width + 2 - name.count))
            if json { return }
            live.set(port.device, name + padding + (entry.map { "\($0.name): " } ?? "") + step.line)
        }
        try await provisioner.prepare()
        let outcomes = await provisioner.run(ports)
        // Report what was done, whether or not it can be recorded.
        var unrecorded: SystemError?
        do throws(SystemError) { try await provisioner.record(outcomes) } catch { unrecorded = error }
        let report = PlanReport(
            files.inventory, outcomes, isApplied: apply, bindings: assignment.bindings)
        if json {
            for document in report.documents { try Terminal.print(JSON.encode(document)) }
        } else {
            try Terminal.print("")
            for line in report.lines(width: Terminal.tableWidth) { try Terminal.print(line) }
        }
        for error in report.errors { Terminal.note(error) }
        if plan, !json, report.hasChanges {
            let options =
                port.map { " --port \(ShellWord.quote($0))" }.joined() + rebind.map { " --rebind \($0)" }.joined()
                + (profile.map { " --profile \(ShellWord.quote($0))" } ?? "")
            try Terminal.print("To apply these changes: beacon-gateway provision \(modules.text) --apply\(options)")
        }
        if let unrecorded { throw unrecorded }
        if report.hasFailures { throw ExitCode(ExitStatus.unavailable.rawValue) }
        if plan, report.hasChanges { throw ExitCode(ExitStatus.negative.rawValue) }
    }
}

/// Error for a row, named with --rebind, that no module has.
struct NothingToRebind: OperatorError {
    var name: String
    var bound: [String]

    var what: String { "no module is bound to the row \(name)" }
    var meaning: String? { "only an \"any\" row can be released from its module" }
    var remedy: String? {
        bound.isEmpty
            ? "omit --rebind: no module is bound to an \"any\" row"
            : "the rows bound to modules are "
                + bound.joined(separator: ", ")
    }
    var exitStatus: ExitStatus { .usage }
}
