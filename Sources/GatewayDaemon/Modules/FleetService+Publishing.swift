import BeaconModel
import Exposition
import GatewayCore
import Logging
import MQTTBridge
import Metering
import ModuleDialogues
import RecordContract
import SystemIO

/// States and events of the modules, as messages.
extension FleetService {
    /// State of the modules and their ports at one moment.
    struct Snapshot: Sendable {
        var modules: [ModuleStatus]
        var others: [Fleet.OtherPort]
        /// Ports that are open or being opened, by the kernel's names.
        var openPorts: [String]
    }

    var snapshot: Snapshot {
        Snapshot(
            modules: fleet.statuses, others: toldOthers,
            openPorts: links.filter { !$0.value.isClosed && !$0.value.hasEnded }.keys.sorted())
    }

    func tell(_ status: ModuleStatus) async {
        var metadata: Logger.Metadata = [
            "name": "\(status.entry.name)", "state": "\(status.condition.rawValue)",
            "beacon": "\(status.entry.configuration.beacon)",
        ]
        if let port = status.port { metadata["port"] = "\(port)" }
        if let problem = status.problem {
            metadata["error"] = "\(problem.what)"
            if let remedy = problem.remedy { metadata["remedy"] = "\(remedy)" }
        }
        let isMissing = missing.update(status, isSearching: fleet.isSearching)
        switch status.condition {
        case .failed, .notHeard: logger.error("module state changed", metadata: metadata)
        case .absent where isMissing: logger.warning("module state changed", metadata: metadata)
        case .absent, .provisioning, .advertising, .unverified: logger.info("module state changed", metadata: metadata)
        }
        if let ended = provisioning.update(status, at: .now) {
            meters.time(GatewayMetric.moduleProvisioning, since: ended.since, ended.outcome)
        }
        await gateway.setModule(GatewayInfo.Module(status))
        await publisher.setState(ModuleState(status).encoded, topic: topics.moduleState(status.entry.name))
        // Last, because the radio may wait for the disk.
        await radio.send(.module(status))
        if let event = failures.update(status, at: WallClock.now()) { await radio.send(.moduleEvent(event)) }
    }

    /// Logs modules that were not found on any port.
    func tellMissing() {
        guard missing.isOpen else { return }
        for name in missing.settle(isSearching: fleet.isSearching).sorted() {
            logger.warning("module not found on any port", metadata: ["name": "\(name)"])
        }
    }

    func tell(_ others: [Fleet.OtherPort]) async {
        for other in others where !toldOthers.contains(other) {
            var metadata: Logger.Metadata = ["port": "\(other.port)", "error": "\(other.problem.what)"]
            if let address = other.address { metadata["address"] = "\(address)" }
            if let remedy = other.problem.remedy { metadata["remedy"] = "\(remedy)" }
            logger.warning("port without a module of the inventory", metadata: metadata)
        }
        toldOthers = others
        await gateway.setOtherPorts(
            others.map {
                GatewayInfo.Port(
                    port: $0.port, address: $0.address?.description, error: $0.problem.what,
                    remedy: $0.problem.remedy)
            })
    }

    func note(_ event: Fleet.Event) {
        do {
            try audit.add(event, at: WallClock.now())
        } catch {
            logger.error("audit log not written", metadata: .init(describing: error))
        }
    }
}
