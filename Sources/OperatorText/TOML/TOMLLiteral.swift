/// Values without quotes or brackets: truth values, numbers, dates, and times.
enum TOMLLiteral {
    static func parse(_ text: String) throws(TOMLMistake) -> TOMLValue {
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if TOMLDateTime.isStart(text) {
            guard text.utf8.count <= TOMLLimits.literal, let value = TOMLDateTime.parse(text) else {
                throw .malformedDate(text)
            }
            return value
        }
        return try parseNumber(text)
    }

    private static func parseNumber(_ text: String) throws(TOMLMistake) -> TOMLValue {
        let isNegative = text.hasPrefix("-")
        let isSigned = isNegative || text.hasPrefix("+")
        let magnitude = text.dropFirst(isSigned ? 1 : 0)
        switch magnitude {
        case "inf": return .float(isNegative ? -.infinity : .infinity)
        case "nan": return .float(.nan)
        default: break
        }
        guard text.utf8.count <= TOMLLimits.literal else { throw .malformedNumber(text) }
        guard let first = magnitude.utf8.first, isDecimal(first) else {
            let isNumber = isSigned || magnitude.hasPrefix(".")
            throw isNumber ? .malformedNumber(text) : .bareWord(text)
        }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where magnitude.hasPrefix(prefix) {
            guard !isSigned, let digits = digits(magnitude.dropFirst(2), radix: radix) else {
                throw .malformedNumber(text)
            }
            guard let value = Int64(digits, radix: radix) else { throw .numberOutOfRange(text) }
            return .integer(value)
        }
        return try parseDecimal(text, magnitude, sign: isNegative ? "-" : "")
    }

    private static func parseDecimal(
        _ text: String, _ magnitude: Substring, sign: String
    ) throws(TOMLMistake) -> TOMLValue {
        let mantissa = magnitude.prefix { $0 != "e" && $0 != "E" }
        let hasExponent = mantissa.endIndex != magnitude.endIndex
        let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ digits($0) }), whole.utf8.count == 1 || !whole.hasPrefix("0") else {
            throw .malformedNumber(text)
        }
        if parts.count == 1, !hasExponent {
            guard let value = Int64(sign + whole) else { throw .numberOutOfRange(text) }
            return .integer(value)
        }
        var number = sign + whole
        if parts.count == 2 {
            guard let fraction = digits(parts[1]) else { throw .malformedNumber(text) }
            number += "." + fraction
        }
        if hasExponent {
            var exponent = magnitude[mantissa.endIndex...].dropFirst()
            number += "e"
            if let first = exponent.first, first == "+" || first == "-" {
                number.append(first)
                exponent = exponent.dropFirst()
            }
            guard let digits = digits(exponent) else { throw .malformedNumber(text) }
            number += digits
        }
        guard let value = Double(number), value.isFinite else { throw .numberOutOfRange(text) }
        return .float(value)
    }

    /// Returns digits without the underscores between them; `nil` if there are other characters, or underscores
    /// elsewhere.
    private static func digits(_ text: Substring, radix: Int = 10) -> String? {
        let groups = text.split(separator: "_", omittingEmptySubsequences: false)
        let isValid = groups.allSatisfy { group in
            !group.isEmpty && group.utf8.allSatisfy { isDigit($0, radix: radix) }
        }
        return isValid ? groups.joined() : nil
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { isDigit(byte, radix: 10) }

    private static func isDigit(_ byte: UInt8, radix: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30 < radix
        case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"): radix == 16
        default: false
        }
    }
}
