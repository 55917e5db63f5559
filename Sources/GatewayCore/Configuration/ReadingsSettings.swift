import BeaconModel
package import OperatorText

/// The table `readings`: how often readings of all subjects are published.
package enum ReadingsSettings {
    package static let defaultInterval: Duration = .seconds(60)
    private static let intervals: ClosedRange<Duration> = .seconds(30)...(.seconds(120))
    /// Length of an hour in seconds; the interval must divide it.
    private static let hour: Int64 = 3600

    /// - Returns: the interval; `nil` if readings are not published.
    package static func read(_ root: TOMLReader) -> Duration? {
        guard let reader = root.table("readings") else { return defaultInterval }
        defer { reader.finish() }
        let interval = reader.duration("interval", in: intervals) ?? defaultInterval
        let isDivisor =
            interval.components.attoseconds == 0 && hour.isMultiple(of: max(1, interval.components.seconds))
        if !isDivisor {
            reader.report(
                "interval", found: "found \(DurationText.format(interval))",
                allowed: "must divide an hour, so that all gateways have the same intervals: 30s, 60s, 90s, 2m")
        }
        return reader.boolean("enabled") ?? true ? (isDivisor ? interval : defaultInterval) : nil
    }
}
