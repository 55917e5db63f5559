import BeaconModel
import Logging
import MQTTBridge
import ServiceLifecycle
import UARTConfig

/// Provisions the configured modules, each on its own, and tries again with backoff those that fail.
struct ModulesService: Service {
    var modules: [InventoryEntry]
    var topics: Topics
    var publisher: MQTTPublisher
    var board: GatewayBoard
    var logger: Logger

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for module in modules { group.addTask { await provision(module) } }
            await group.waitForAll()
        }
        try? await gracefulShutdown()
    }

    private func provision(_ module: InventoryEntry) async {
        guard case .port(let port) = module.module, module.kind == .rs9116 else {
            logger.error(
                "only an rs9116 on a serial port can be provisioned",
                metadata: ["name": "\(module.name)", "module": "\(module.module)", "kind": "\(module.kind)"])
            return
        }
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        await announce(ModuleState(module, state: .provisioning))
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                let provisioned = try await cancelWhenGracefulShutdown {
                    try await ModuleProvisioner(port: port, configuration: module.configuration).provision { step in
                        logger.debug("module", metadata: ["name": "\(module.name)", "step": "\(step.line)"])
                    }
                }
                logger.info(
                    "module advertises",
                    metadata: [
                        "name": "\(module.name)", "beacon": "\(module.configuration.beacon)",
                        "type": "\(provisioned.advertisingType.name)",
                    ])
                await announce(ModuleState(module, state: .advertising, applied: provisioned))
                return
            } catch is CancellationError {
                return
            } catch {
                let metadata = Logger.Metadata(describing: error)
                logger.error(
                    "module not provisioned", metadata: metadata.merging(["name": "\(module.name)"]) { $1 })
                await announce(ModuleState(module, state: .failed, error: error))
                let wait = backoff.next(using: &generator)
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: wait) }
            }
        }
    }

    private func announce(_ state: ModuleState) async {
        await board.setModule(state.info)
        await publisher.setState(state.encoded, topic: topics.moduleState(state.info.name))
    }
}
