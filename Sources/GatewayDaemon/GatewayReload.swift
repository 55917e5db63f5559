import BeaconModel
import CommandSupport
import GatewayCore
import ModuleDialogues

/// Takes up a configuration that was changed while the gateway runs.
actor GatewayReload {
    private let load: @Sendable () throws -> Configuration
    private let fleet: FleetService
    private let commands: CommandService
    /// What the gateway was started with: what needs a restart is compared with it.
    private let started: Configuration
    private var count = 0

    /// - Parameter load: reads and checks the configuration anew.
    init(
        started: Configuration, fleet: FleetService, commands: CommandService,
        load: @escaping @Sendable () throws -> Configuration
    ) {
        self.started = started
        self.fleet = fleet
        self.commands = commands
        self.load = load
    }

    /// - Throws: what is wrong with the configuration; then nothing of it is taken up.
    func reload() async throws -> ReloadOutcome {
        let new = try load()
        count += 1
        await fleet.setProfile(new.moduleProfile)
        await commands.setRules(new.commands)
        let outcome = await fleet.carryOut(.provisionAll(correlation: "reload-\(count)"))
        guard outcome.ok else { throw InventoryNotReloaded(what: outcome.text) }
        return ReloadOutcome(
            reloaded: ["inventory (\(new.inventory.entries.count) modules)", "rs9116", "commands"],
            needsRestart: ConfigurationChange(from: started, to: new).needsRestart)
    }
}

/// The inventory was good a moment ago and isn't any more, or the gateway ends.
struct InventoryNotReloaded: OperatorError {
    var what: String
    var exitStatus: ExitStatus { .configuration }
}
