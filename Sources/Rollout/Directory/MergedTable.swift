import BeaconModel
package import OperatorText

/// Several files as one document. Each file overrides those before it: tables key by key, all else as a whole.
package struct MergedTable: Sendable {
    /// Where a value comes from.
    package struct Origin: Equatable, Sendable {
        package var file: String
        package var position: TextPosition
    }

    package private(set) var table: TOMLTable = [:]
    /// Origins of keys and elements by path, in the form that problems use: `modules[1].major`.
    private var origins: [String: Origin] = [:]

    package init() {}

    /// Adds a file, which overrides what is there.
    package mutating func add(_ other: TOMLTable, of file: String) {
        table = merge(table, other, at: "", file)
    }

    /// Sets a value that is in no file.
    package mutating func set(_ path: [String], to text: String) {
        table = Self.setting(table, path[...], text)
    }

    /// Returns where the value at a path comes from, or else the table around it.
    package func origin(of path: String) -> Origin? {
        var rest = path[...]
        while !rest.isEmpty {
            if let origin = origins[String(rest)] { return origin }
            guard let end = rest.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            rest = rest[..<end]
        }
        return nil
    }

    private mutating func merge(_ old: TOMLTable, _ new: TOMLTable, at path: String, _ file: String) -> TOMLTable {
        var result = old
        for (key, node) in new {
            let place = path.isEmpty ? key : "\(path).\(key)"
            if case .table(let inner) = node.value, case .table(let outer)? = old[key]?.value {
                origins[place] = Origin(file: file, position: node.position)
                result[key] = TOMLNode(
                    value: .table(merge(outer, inner, at: place, file)), position: node.position)
            } else {
                if old[key] != nil { forget(place) }
                note(node, at: place, file)
                result[key] = node
            }
        }
        return result
    }

    private mutating func forget(_ place: String) {
        for known in origins.keys where known.hasPrefix(place + ".") || known.hasPrefix(place + "[") {
            origins[known] = nil
        }
    }

    private mutating func note(_ node: TOMLNode, at place: String, _ file: String) {
        origins[place] = Origin(file: file, position: node.position)
        switch node.value {
        case .table(let table):
            for (key, inner) in table { note(inner, at: "\(place).\(key)", file) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { note(element, at: "\(place)[\(index)]", file) }
        default: break
        }
    }

    private static func setting(_ table: TOMLTable, _ path: ArraySlice<String>, _ text: String) -> TOMLTable {
        guard let key = path.first else { return table }
        var result = table
        let position = table[key]?.position ?? TextPosition(line: 1, column: 1)
        if path.count == 1 {
            result[key] = TOMLNode(value: .string(text), position: position)
        } else {
            var inner: TOMLTable = [:]
            if case .table(let present)? = table[key]?.value { inner = present }
            result[key] = TOMLNode(value: .table(setting(inner, path.dropFirst(), text)), position: position)
        }
        return result
    }
}
