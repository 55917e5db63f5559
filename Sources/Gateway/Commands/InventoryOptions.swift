import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayCore
import GatewayDaemon
import OperatorText

/// Options that select the modules of a command: those of a gateway's configuration, or of an inventory file.
struct InventoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The gateway's configuration, with its modules and its state directory.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp("Inventory: a .toml or .csv file that assigns beacons to modules.", valueName: "file"))
    var inventory: String?

    @Option(
        help: ArgumentHelp(
            "With --inventory: the gateway's state directory, which holds the audit log and the module bindings "
                + "(default: \(Configuration.defaultStateDirectory); if that does not exist, next to the inventory).",
            valueName: "directory"))
    var state: String?

    var isGiven: Bool { config != nil || inventory != nil }

    func validate() throws {
        if config != nil, inventory != nil {
            throw ValidationError("--config and --inventory both specify the modules: omit one of them.")
        }
        if state != nil, inventory == nil {
            throw ValidationError("--state requires --inventory FILE; a configuration names its own state directory.")
        }
    }

    /// Options as they are typed.
    var text: String {
        if let config { return "--config \(ShellWord.quote(config))" }
        return "--inventory \(ShellWord.quote(inventory ?? ""))"
            + (state.map { " --state \(ShellWord.quote($0))" } ?? "")
    }

    /// Reads the configuration or the inventory.
    ///
    /// - Returns: `nil` when neither was given.
    /// - Throws: `ConfigurationError`, `InventoryError`, or an error for an unreadable file.
    func read() throws -> ModuleFiles? {
        if let config {
            let configuration = try ConfigurationInUse.load(config, secrets: ConfigurationFile.secrets(for: []))
                .configuration
            return ModuleFiles(configuration, path: config, actor: Person.name)
        }
        return try inventory.map { try ModuleFiles(inventory: $0, state: state, actor: Person.name) }
    }
}
