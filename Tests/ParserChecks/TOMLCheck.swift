import OperatorText

/// A configuration file, inventory, or table that somebody wrote.
enum TOMLCheck: ParserCheck {
    static let name = "toml"

    static func violation(for bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(\.count)
        do throws(TOMLError) {
            let table = try TOMLParser.parse(text)
            return positions(.table(table)).first { !isInside($0, lines) }.map { "a key at \($0)" }
        } catch {
            if !isInside(error.position, lines) { return "an error at \(error.position)" }
            return error.mistake.found.isEmpty || error.mistake.allowed.isEmpty ? "an error without text" : nil
        }
    }

    /// - Parameter lines: number of scalars in each line. There are at least as many as characters.
    private static func isInside(_ position: TextPosition, _ lines: [Int]) -> Bool {
        1...lines.count ~= position.line && 1...lines[position.line - 1] + 1 ~= position.column
    }

    private static func positions(_ value: TOMLValue) -> [TextPosition] {
        switch value {
        case .table(let table): table.values.flatMap { [$0.position] + positions($0.value) }
        case .array(let elements): elements.flatMap { [$0.position] + positions($0.value) }
        default: []
        }
    }
}
