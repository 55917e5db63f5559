import BeaconModel
import CommandSupport
import GatewayCore
import ModuleDialogues
import Proximity

/// Applies a configuration that changed while the gateway runs.
actor GatewayReload {
    private let load: @Sendable () throws -> Configuration
    private let fleet: FleetService
    private let commands: CommandService
    private let radio: RadioInbox
    /// Configuration that the gateway was started with. Changes that need a restart are relative to it.
    private let started: Configuration
    private var count = 0

    /// - Parameter load: reads and checks the configuration again.
    init(
        started: Configuration, fleet: FleetService, commands: CommandService, radio: RadioInbox,
        load: @escaping @Sendable () throws -> Configuration
    ) {
        self.started = started
        self.fleet = fleet
        self.commands = commands
        self.radio = radio
        self.load = load
    }

    /// Reloads the configuration.
    ///
    /// - Throws: the error of `load`, in which case nothing is applied; `InventoryNotReloaded`, in which case the
    ///   RS9116 profile, the command limits and `signals` are already applied.
    func reload() async throws -> ReloadOutcome {
        let new = try load()
        count += 1
        await fleet.setProfile(new.moduleProfile)
        await commands.setRules(new.commands)
        await radio.send(.signals(new.rules.hasSignals))
        let outcome = await fleet.carryOut(.provisionAll(correlation: "reload-\(count)"))
        guard outcome.ok else { throw InventoryNotReloaded(what: outcome.text) }
        return ReloadOutcome(
            reloaded: ["inventory (\(new.inventory.entries.count) modules)", "rs9116", "commands", "signals"],
            needsRestart: ConfigurationChange(from: started, to: new).needsRestart)
    }
}

/// The inventory could be read a moment ago and cannot be any more, or the gateway is ending.
struct InventoryNotReloaded: OperatorError {
    var what: String
    var exitStatus: ExitStatus { .configuration }
}
