/// Text in an exposition.
enum LabelText {
    /// Largest length of a label's value, in bytes.
    static let longest = 128

    /// Returns a label's value without control characters, which some readers take for the end, and not too long.
    static func bounded(_ value: String) -> String {
        var bounded = String.UnicodeScalarView()
        var length = 0
        for scalar in value.unicodeScalars {
            let shown = isControl(scalar) && scalar != "\n" ? "\u{FFFD}" : scalar
            length += UTF8.width(shown)
            if length > longest { break }
            bounded.append(shown)
        }
        return String(bounded)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Returns a label's value as it stands between quotation marks.
    static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns a help text as it stands at the end of a line.
    ///
    /// - Parameter escapesQuotes: whether quotation marks are escaped: in OpenMetrics they are.
    static func help(_ text: String, escapesQuotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where escapesQuotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns a number as Go's `ParseFloat` reads it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return "\(whole)" }
        return "\(value)"
    }

    /// Returns the bound of a bucket. It is the same text in both formats: a reader that changes from one to the other
    /// must not see other series.
    static func bound(_ value: Double) -> String { value.isInfinite ? "+Inf" : "\(value)" }
}
