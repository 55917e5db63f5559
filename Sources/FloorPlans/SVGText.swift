import OperatorText

extension Double {
    /// The number to the millimetre, without zeros at its end.
    var svg: String {
        var text = Format.fixed(self, 3)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension [PlanPoint] {
    /// The points as the attribute `points` has them.
    var svg: String { map { "\($0.x.svg),\($0.y.svg)" }.joined(separator: " ") }
}

extension String {
    /// The text for XML: without characters that XML does not allow, and with those escaped that have a meaning.
    var xml: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\t", "\n", "\r": text += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "?"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
