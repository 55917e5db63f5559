/// A table while its document is read: later headers and dotted keys can add to it.
final class TOMLTableNode {
    enum Origin {
        /// Part of the header of a table within it. A header of its own can follow.
        case implied
        case header
        /// Part of a dotted key. No header can follow.
        case dottedKey
    }

    enum Content {
        case value(TOMLValue)
        case table(TOMLTableNode)
        case array(TOMLTableArray)

        var kind: String {
            switch self {
            case .value(.table): "a table in braces"
            case .value(.array): "a list in brackets"
            case .value(let value): value.kind
            case .table: "a table"
            case .array: "a list of tables"
            }
        }
    }

    struct Entry {
        var position: TextPosition
        var content: Content
    }

    var origin: Origin
    /// Number of key parts and brackets around the keys of the table.
    let depth: Int
    var entries: [String: Entry] = [:]

    init(origin: Origin, depth: Int) {
        self.origin = origin
        self.depth = depth
    }

    /// The table when nothing can be added any more.
    func finished() -> TOMLTable {
        entries.mapValues { entry in
            let value: TOMLValue =
                switch entry.content {
                case .value(let value): value
                case .table(let table): .table(table.finished())
                case .array(let array):
                    .array(array.elements.map { TOMLNode(value: .table($0.table.finished()), position: $0.position) })
                }
            return TOMLNode(value: value, position: entry.position)
        }
    }
}

/// An array of tables while its document is read: each header in double brackets adds a table.
final class TOMLTableArray {
    /// The tables. There is at least one.
    private(set) var elements: [(table: TOMLTableNode, position: TextPosition)]
    /// The table that headers and keys add to.
    private(set) var last: TOMLTableNode

    init(_ table: TOMLTableNode, at position: TextPosition) {
        elements = [(table, position)]
        last = table
    }

    func append(_ table: TOMLTableNode, at position: TextPosition) {
        elements.append((table, position))
        last = table
    }
}
