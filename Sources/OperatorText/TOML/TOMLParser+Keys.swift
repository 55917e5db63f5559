/// One name of a dotted key.
struct TOMLKeyPart {
    var name: String
    var position: TextPosition
}

/// A dotted key or the name in a header.
struct TOMLKey {
    /// The names before the last one.
    var owners: [TOMLKeyPart] = []
    var last: TOMLKeyPart

    /// All names, the last one included.
    var names: [String] { owners.map(\.name) + [last.name] }
}

extension TOMLParser {
    /// Parses a dotted key with the blanks around it.
    ///
    /// - Parameter depth: number of key parts and brackets around it.
    mutating func parseKey(depth: Int) throws(TOMLError) -> TOMLKey {
        var key = TOMLKey(last: try parseKeyPart(depth: depth))
        while cursor.current == "." {
            cursor.advance()
            key.owners.append(key.last)
            key.last = try parseKeyPart(depth: depth + key.owners.count)
        }
        return key
    }

    private mutating func parseKeyPart(depth: Int) throws(TOMLError) -> TOMLKeyPart {
        cursor.skipBlanks()
        guard depth < TOMLLimits.depth else { throw error(.tooDeep) }
        try count()
        let position = cursor.position
        let name: String
        switch cursor.current {
        case "\"", "'": name = try parseQuoted()
        case let scalar? where scalar.isBareKey: name = cursor.take { $0.isBareKey }
        default: throw unexpected(.key)
        }
        cursor.skipBlanks()
        return TOMLKeyPart(name: name, position: position)
    }
}

extension Unicode.Scalar {
    fileprivate var isBareKey: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
