/// A value that a program writes into a TOML document.
package enum TOMLScalar: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case strings([String])

    /// The value in TOML.
    package var text: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .strings(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
        }
    }

    var value: TOMLValue {
        let nowhere = TextPosition(line: 0, column: 0)
        return switch self {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let isTrue): .boolean(isTrue)
        case .strings(let texts): .array(texts.map { TOMLNode(value: .string($0), position: nowhere) })
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case let scalar where scalar.isTOMLControl:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
