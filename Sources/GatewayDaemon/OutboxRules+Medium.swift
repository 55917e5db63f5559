package import Publishing
package import SystemIO

extension OutboxRules {
    /// How long writes are delayed. A card wears with each of them, so there it is done unless something else is configured.
    package static func writeDelay(_ configured: Duration?, on medium: StorageMedium) -> Duration? {
        configured ?? (medium == .card ? OutboxRules.wearingDelay : nil)
    }
}
