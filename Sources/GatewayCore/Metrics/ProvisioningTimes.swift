package import ModuleDialogues

/// When modules began to be provisioned. Pure.
package struct ProvisioningTimes: Sendable {
    private var since: [String: ContinuousClock.Instant] = [:]

    package init() {
    }

    /// Takes the state of a module.
    ///
    /// - Returns: when its provisioning began, and how it ended, if it has ended now.
    package mutating func update(
        _ status: ModuleStatus, at now: ContinuousClock.Instant
    ) -> (since: ContinuousClock.Instant, outcome: String)? {
        let name = status.entry.name
        guard status.condition != .provisioning else {
            // A module that is provisioned says so several times.
            if since[name] == nil { since[name] = now }
            return nil
        }
        guard let begun = since.removeValue(forKey: name) else { return nil }
        switch status.condition {
        case .advertising, .unverified, .notHeard, .provisioning: return (begun, "provisioned")
        case .failed: return (begun, "failed")
        case .absent: return (begun, "unplugged")
        }
    }
}
