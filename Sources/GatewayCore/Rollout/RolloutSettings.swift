import OperatorText

/// The table `rollout` of a gateway's own file.
enum RolloutSettings {
    /// Returns whether the gateway can be configured from afar.
    static func read(_ root: TOMLReader) -> Bool {
        guard let reader = root.table("rollout") else { return true }
        defer { reader.finish() }
        return reader.boolean("enabled") ?? true
    }
}
