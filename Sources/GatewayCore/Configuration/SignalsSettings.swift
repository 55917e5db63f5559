package import OperatorText

/// The table `signals`: whether signals of all subjects are published.
///
/// They are off by default, because they show where subjects are at every moment.
package enum SignalsSettings {
    /// - Returns: whether signals are published.
    package static func read(_ root: TOMLReader) -> Bool {
        guard let reader = root.table("signals") else { return false }
        defer { reader.finish() }
        return reader.boolean("enabled") ?? false
    }
}
