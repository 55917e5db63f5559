/// A value of a document that another program wrote, with its line.
package struct PlanTree: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        /// - Parameter isQuoted: whether the text was in quotes, so that it is no number.
        case scalar(String, isQuoted: Bool)
        case list([PlanTree])
        /// The entries in their order.
        case table([Entry])
    }

    package struct Entry: Equatable, Sendable {
        package var key: String
        package var line: Int
        package var value: PlanTree

        package init(key: String, line: Int, value: PlanTree) {
            self.key = key
            self.line = line
            self.value = value
        }
    }

    package var value: Value
    /// Line in the file, from 1.
    package var line: Int

    package init(_ value: Value, line: Int) {
        self.value = value
        self.line = line
    }

    /// Returns the value of a key of a table; `nil` if there is none, or it is empty.
    package subscript(key: String) -> PlanTree? {
        guard case .table(let entries) = value, let entry = entries.first(where: { $0.key == key }),
            !entry.value.isEmpty
        else { return nil }
        return entry.value
    }

    package var list: [PlanTree]? { if case .list(let list) = value { list } else { nil } }

    package var text: String? { if case .scalar(let text, _) = value { text } else { nil } }

    /// The number of a text without quotes; `nil` if it is none, or is not finite.
    package var number: Double? {
        guard case .scalar(let text, isQuoted: false) = value, text.utf8.count <= 40,
            text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }), let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    package var isTrue: Bool { ["true", "yes", "on"].contains(text?.lowercased() ?? "") }

    package var keys: [String] { if case .table(let entries) = value { entries.map(\.key) } else { [] } }

    /// Whether it is a null of YAML.
    private var isEmpty: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return ["", "~", "null"].contains(text.lowercased())
    }

    /// Type of the value, for messages.
    package var kind: String {
        switch value {
        case .scalar(let text, _): "\"" + text.prefix(40) + "\""
        case .list: "a list"
        case .table: "a table"
        }
    }
}
