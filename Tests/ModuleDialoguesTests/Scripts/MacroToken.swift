/// A piece of a line of Tera Term's macro language.
enum MacroToken: Equatable {
    /// Behind a colon.
    case label(String)
    /// A command, a variable or a label; without case.
    case word(String)
    case integer(Int)
    case string([UInt8])
    case symbol(Character)

    /// Quoted characters and `#` with a number may follow each other without a space: they are one string.
    static func read(_ line: Substring, _ number: Int) throws -> [MacroToken] {
        var tokens: [MacroToken] = []
        var rest = line
        func fail() -> MacroInterpreter.Fault { .syntax(line: number, String(line)) }
        while let first = rest.first {
            switch first {
            case " ", "\t": rest.removeFirst()
            case ";": return tokens
            case ":" where tokens.isEmpty:
                tokens.append(.label(rest.dropFirst().lowercased()))
                return tokens
            case "'", "\"", "#":
                var text: [UInt8] = []
                while let sign = rest.first, sign == "'" || sign == "\"" || sign == "#" {
                    rest.removeFirst()
                    if sign == "#" {
                        guard let value = readInteger(&rest), (1...255).contains(value) else { throw fail() }
                        text.append(UInt8(value))
                    } else {
                        guard let end = rest.firstIndex(of: sign) else { throw fail() }
                        text += Array(rest[..<end].utf8)
                        rest = rest[rest.index(after: end)...]
                    }
                }
                tokens.append(.string(text))
            case "=", "<", ">", "+":
                tokens.append(.symbol(first))
                rest.removeFirst()
            case _ where first == "$" || first.isNumber:
                guard let value = readInteger(&rest) else { throw fail() }
                tokens.append(.integer(value))
            case _ where first.isLetter || first == "_":
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                tokens.append(.word(word.lowercased()))
                rest = rest[word.endIndex...]
            default: throw fail()
            }
        }
        return tokens
    }

    private static func readInteger(_ rest: inout Substring) -> Int? {
        let isHexadecimal = rest.first == "$"
        if isHexadecimal { rest.removeFirst() }
        let digits = rest.prefix { isHexadecimal ? $0.isHexDigit : $0.isNumber }
        rest = rest[digits.endIndex...]
        return Int(digits, radix: isHexadecimal ? 16 : 10)
    }
}
