package import Publishing
package import SystemIO

extension OutboxRules {
    /// Returns the delay of writes. Each write wears an SD card, so writes to a card are delayed unless something else
    /// is configured.
    package static func writeDelay(_ configured: Duration?, on medium: StorageMedium) -> Duration? {
        configured ?? (medium == .card ? OutboxRules.wearingDelay : nil)
    }
}
