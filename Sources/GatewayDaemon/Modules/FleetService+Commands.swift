import AsyncAlgorithms
import BeaconModel
package import GatewayCore
import Logging
import MQTTBridge
import ModuleDialogues
import RecordContract

/// Commands to the modules.
extension FleetService {
    /// Replaces the profile of RS9116 modules, for ports that are opened from now on.
    func setProfile(_ profile: RS9116Profile) { self.profile = profile }

    /// Carries an order out after those before it, and returns its outcome.
    package func carryOut(_ order: Order) async -> CommandOutcome {
        guard !hasEnded else { return .stopping }
        let (outcomes, continuation) = AsyncStream<CommandOutcome>.makeStream()
        waiting[order.correlation] = continuation
        await inbox.send(.order(order))
        for await outcome in outcomes { return outcome }
        waiting[order.correlation] = nil
        return .stopping
    }

    func take(_ order: Order) async {
        switch order {
        case .one(let command):
            if command.name == .provision, let problem = await readInventoryAgain() {
                answer(command.correlation, CommandOutcome(ok: false, text: problem))
                return
            }
            await take(.command(command))
        case .provisionAll(let correlation):
            let problem = await readInventoryAgain()
            answer(
                correlation,
                CommandOutcome(
                    ok: problem == nil,
                    text: problem ?? "inventory reloaded: \(inventory.entries.count) modules; see their states"))
        }
    }

    /// Reads the inventory again. The inventory is the only definition of what a module advertises, so a change to it
    /// takes effect by a command.
    ///
    /// - Returns: the reason why the inventory cannot be used, in which case nothing changes.
    private func readInventoryAgain() async -> String? {
        let new: Inventory
        do {
            new = try reload()
        } catch {
            logger.error("inventory rejected, keeping the previous one", metadata: .init(describing: error))
            return error.inOneLine
        }
        guard new != inventory else { return nil }
        let gone = Set(inventory.entries.map(\.name)).subtracting(new.entries.map(\.name))
        inventory = new
        await gateway.setNames(new)
        for name in gone {
            await publisher.setState([], topic: topics.moduleState(name))
            await gateway.removeModule(name)
            failures.forget(name)
            missing.forget(name)
        }
        await radio.send(.inventory(new))
        await take(.inventory(new))
        for port in Self.portsOutsideUdev(new) { await take(.portAppeared(port)) }
        return nil
    }

    func answer(_ correlation: String, _ outcome: CommandOutcome) {
        guard let continuation = waiting.removeValue(forKey: correlation) else { return }
        continuation.yield(outcome)
        continuation.finish()
    }
}
