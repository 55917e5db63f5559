import OperatorText

/// Search for secrets that are written into a file. The directory is in git, and documents travel through a broker.
enum LiteralSecrets {
    /// Returns the paths of values that are secrets, in the order of the document.
    static func paths(in table: TOMLTable) -> [(path: String, position: TextPosition)] {
        paths(in: .table(table), at: "", key: "").sorted {
            ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
        }
    }

    private static func paths(
        in value: TOMLValue, at path: String, key: String, position: TextPosition = TextPosition(line: 1, column: 1)
    ) -> [(path: String, position: TextPosition)] {
        switch value {
        case .table(let table):
            return table.flatMap { key, node in
                paths(
                    in: node.value, at: path.isEmpty ? key : "\(path).\(key)", key: key, position: node.position)
            }
        case .array(let elements):
            return elements.enumerated().flatMap { index, node in
                paths(in: node.value, at: "\(path)[\(index)]", key: key, position: node.position)
            }
        case .string(let text):
            return isSecret(key, text) ? [(path, position)] : []
        default: return []
        }
    }

    private static func isSecret(_ key: String, _ text: String) -> Bool {
        if text.contains("PRIVATE KEY-----") { return true }
        let last = key.lowercased().split { $0 == "-" || $0 == "_" }.last ?? ""
        return ["password", "passphrase", "secret", "token", "psk"].contains(last)
    }
}
