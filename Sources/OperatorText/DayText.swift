import BeaconModel

/// Days as people write them, `2026-11-02`, and as numbers of days since 1970.
package enum DayText {
    package static let form = "a day: 2026-11-02"

    /// Parses a day; `nil` for any other text, and for days before 1970.
    package static func parse(_ text: String) -> Int64? {
        guard text.utf8.count == 10 else { return nil }
        return RFC3339Text.parse(text + "T00:00:00Z").map { $0.microseconds / 1_000_000 / 86_400 }
    }

    package static func text(_ day: Int64) -> String {
        let (seconds, overflow) = day.multipliedReportingOverflow(by: 86_400)
        return String(InstantText.utc(overflow ? 0 : seconds).prefix(10))
    }
}
