/// Distances as people write them.
package enum Metres {
    /// Returns a distance as text: `1 m`, `1.5 m`.
    package static func text(_ metres: Double) -> String {
        let text = Format.fixed(metres, 2)
        return (text.hasSuffix(".00") ? String(text.dropLast(3)) : text.hasSuffix("0") ? String(text.dropLast()) : text)
            + " m"
    }

    /// Parses `1m`, `1.5m` or `1.5`; `nil` for any other text and outside `range`.
    package static func parse(_ text: String, in range: ClosedRange<Double>) -> Double? {
        let number = text.hasSuffix("m") ? text.dropLast() : text[...]
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let metres = Double(number), range.contains(metres)
        else { return nil }
        return metres
    }
}
