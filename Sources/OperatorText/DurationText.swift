/// Durations as people write them, a number with a unit: `100ms`, `1.5s`, `30s`, `5m`, `1h`.
package enum DurationText {
    package static let form = "a number with a unit: 100ms, 30s, 5m, 1h"

    /// Parses a duration; `nil` for any other text, including negative durations.
    package static func parse(_ text: String) -> Duration? {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let number = text.dropLast(unit.suffix.count)
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let value = Double(number), value.isFinite, value * unit.seconds <= 1e9
        else { return nil }
        return .microseconds(Int64((value * unit.seconds * 1e6).rounded()))
    }

    /// Returns the shortest exact form, in whole milliseconds.
    package static func format(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        if milliseconds % 3_600_000 == 0, milliseconds > 0 { return "\(milliseconds / 3_600_000)h" }
        if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000)m" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000)s" }
        return "\(milliseconds)ms"
    }
}
