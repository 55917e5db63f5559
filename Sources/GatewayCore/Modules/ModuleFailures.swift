package import BeaconModel
package import ModuleDialogues
package import RecordContract

/// Which modules have failed, so that a failure is an event once, however often it is tried again. Pure.
package struct ModuleFailures: Sendable {
    /// As how each one was last reported that has failed.
    private var failed: [String: ModuleStatus.Condition] = [:]
    /// Those that ever answered.
    private var seen: Set<String> = []

    package init() {
    }

    /// What is to be said of a module's new state.
    ///
    /// A module that was never there hasn't failed by being absent; one that was unplugged has. Attempts to mend it are no recovery.
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

    /// The inventory doesn't have it any more.
    package mutating func forget(_ name: String) {
        failed[name] = nil
        seen.remove(name)
    }

    private func event(_ kind: ModuleEvent.Kind, _ status: ModuleStatus, at time: Timestamp) -> ModuleEvent {
        ModuleEvent(
            kind: kind, time: time, module: status.entry.name, port: status.port,
            beacon: status.entry.configuration.beacon, state: status.condition.rawValue,
            error: kind == .failed ? status.problem?.what ?? "the module went away" : nil,
            remedy: kind == .failed ? status.problem?.remedy ?? "plug it in again" : nil)
    }
}
