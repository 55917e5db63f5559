package import BeaconModel
package import ModuleDialogues
package import RecordContract

/// Failed modules, so that a failure is reported as one event, however often it is retried. Pure.
package struct ModuleFailures: Sendable {
    /// Last reported condition of each failed module.
    private var failed: [String: ModuleStatus.Condition] = [:]
    /// Modules that have ever answered.
    private var seen: Set<String> = []

    package init() {
    }

    /// Returns the event for a module's new state, if there is one.
    ///
    /// A module that was never present has not failed by being absent; one that was unplugged has. Attempts to repair a
    /// module are not a recovery.
    package mutating func update(_ status: ModuleStatus, at time: Timestamp) -> ModuleEvent? {
        let name = status.entry.name
        switch status.condition {
        case .failed, .notHeard: break
        case .absent:
            guard seen.contains(name) else { return nil }
        case .provisioning:
            if status.address != nil { seen.insert(name) }
            return nil
        case .advertising, .unverified:
            seen.insert(name)
            guard failed.removeValue(forKey: name) != nil else { return nil }
            return event(.recovered, status, at: time)
        }
        seen.insert(name)
        guard failed.updateValue(status.condition, forKey: name) != status.condition else { return nil }
        return event(.failed, status, at: time)
    }

    /// Removes a module that is no longer in the inventory.
    package mutating func forget(_ name: String) {
        failed[name] = nil
        seen.remove(name)
    }

    private func event(_ kind: ModuleEvent.Kind, _ status: ModuleStatus, at time: Timestamp) -> ModuleEvent {
        ModuleEvent(
            kind: kind, time: time, module: status.entry.name, port: status.port,
            beacon: status.entry.configuration.beacon, state: status.condition.rawValue,
            error: kind == .failed ? status.problem?.what ?? "the module was disconnected" : nil,
            remedy: kind == .failed ? status.problem?.remedy ?? "plug it in again" : nil)
    }
}
