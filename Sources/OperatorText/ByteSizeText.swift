/// Sizes as people write them, in decimal units: `300B`, `512kB`, `10MB`, `1.5GB`.
package enum ByteSizeText {
    package static let form = "a number with a unit: 512kB, 10MB, 1GB"

    /// Parses a size; `nil` for any other text, and for more than 1000 TB.
    package static func parse(_ text: String) -> Int? {
        let units: [(suffix: String, bytes: Double)] = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("B", 1)]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let number = text.dropLast(unit.suffix.count)
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let value = Double(number), value.isFinite, value * unit.bytes <= 1e15
        else { return nil }
        return Int((value * unit.bytes).rounded())
    }

    /// Returns a size for people, with at most one decimal.
    package static func format(_ bytes: Int) -> String {
        let units: [(suffix: String, bytes: Int)] = [
            ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
        ]
        guard let unit = units.first(where: { bytes >= $0.bytes }) else { return "\(bytes) B" }
        return Format.fixed(Double(bytes) / Double(unit.bytes), 1) + " " + unit.suffix
    }
}
