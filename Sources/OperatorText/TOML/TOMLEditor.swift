/// A TOML document in which single values are changed. Comments, the order of keys and all other text stay.
///
/// Each change is verified: the edited text must parse to the same document with that change only. Otherwise the text
/// stays as it was, and the change is refused.
package struct TOMLEditor: Sendable {
    package private(set) var text: String
    package private(set) var table: TOMLTable

    package init(_ text: String) throws(TOMLError) {
        self.text = text
        table = try TOMLParser.parse(text)
    }

    /// Creates a document with a comment only.
    ///
    /// - Parameter comment: lines without the sign of a comment.
    package init(comment: [String]) {
        text = comment.map { "# \($0.shown(upTo: 200))\n" }.joined()
        table = [:]
    }

    /// Returns the value at a path; `nil` if there is none.
    package func value(at path: [String]) -> TOMLValue? {
        var value = TOMLValue.table(table)
        for name in path {
            guard case .table(let table) = value, let node = table[name] else { return nil }
            value = node.value
        }
        return value
    }

    /// Gives a key a value. A key or a table that is missing is added.
    package mutating func set(_ path: [String], to value: TOMLScalar) throws(TOMLEditRefusal) {
        guard let key = path.last else { throw TOMLEditRefusal(path: path) }
        let owner = Array(path.dropLast())
        let line = "\(Self.key(key)) = \(value.text)"
        try edit(path) { scalars, marks in
            if let place = marks.lazy.compactMap({ $0.value(of: path) }).first {
                scalars.replace(place, with: value.text)
            } else if owner.isEmpty {
                scalars.insert(line: line, at: marks.first { $0.isHeader }?.lines.lowerBound ?? scalars.count)
            } else if let end = Self.end(of: owner, marks) {
                scalars.insert(line: line, at: end)
            } else {
                // Beside the table above it, or else at the end.
                let place = Self.end(of: Array(owner.dropLast()), marks) ?? scalars.count
                let header = "[" + owner.map(Self.key).joined(separator: ".") + "]"
                scalars.insert(block: [header, line], at: place)
            }
        } expecting: {
            $0.setting(path[...], to: value.value)
        }
    }

    /// Removes a key, or a table with its header and its keys, if it is there.
    package mutating func remove(_ path: [String]) throws(TOMLEditRefusal) {
        guard value(at: path) != nil else { return }
        try edit(path) { scalars, marks in
            if let mark = marks.first(where: { $0.value(of: path) != nil }) {
                scalars.removeSubrange(mark.lines)
            } else if let start = marks.first(where: { $0.isHeader && $0.table == path })?.lines.lowerBound,
                let end = Self.end(of: path, marks)
            {
                scalars.removeSubrange(start..<end)
            }
        } expecting: {
            $0.removing(path[...])
        }
    }

    /// Adds a table `[[name]]` at the end.
    package mutating func append(
        _ name: String, _ rows: [(key: String, value: TOMLScalar)]
    ) throws(TOMLEditRefusal) {
        let lines = ["[[\(Self.key(name))]]"] + rows.map { "\(Self.key($0.key)) = \($0.value.text)" }
        let nowhere = TextPosition(line: 0, column: 0)
        let element: TOMLTable = Dictionary(
            rows.map { ($0.key, TOMLNode(value: $0.value.value, position: nowhere)) }, uniquingKeysWith: { $1 })
        try edit([name]) { scalars, _ in
            scalars.insert(block: lines, at: scalars.count)
        } expecting: { table in
            var elements: [TOMLNode] = []
            if case .array(let present)? = table[name]?.value { elements = present }
            elements.append(TOMLNode(value: .table(element), position: nowhere))
            return table.setting([name], to: .array(elements))
        }
    }

    /// Returns the place after the last key of a table that has a header; `nil` for others.
    private static func end(of table: [String], _ marks: [TOMLMark]) -> Int? {
        guard marks.contains(where: { $0.isHeader && $0.table == table }) else { return nil }
        return marks.last { $0.table == table }?.lines.upperBound
    }

    private static func key(_ name: String) -> String {
        TOMLWriter.key(name)
    }

    private mutating func edit(
        _ path: [String], _ change: (inout EditedText, [TOMLMark]) -> Void, expecting: (TOMLTable) -> TOMLTable
    ) throws(TOMLEditRefusal) {
        let marks = (try? TOMLParser.parseForEditing(text).marks) ?? []
        var edited = EditedText(text)
        change(&edited, marks)
        guard let result = try? TOMLParser.parse(edited.text),
            TOMLValue.table(result).isSame(as: .table(expecting(table)))
        else { throw TOMLEditRefusal(path: path) }
        (text, table) = (edited.text, result)
    }
}

/// A change that cannot be made without touching other parts of the document: the key is part of a table in braces, for
/// example.
package struct TOMLEditRefusal: Error, Equatable, Sendable {
    /// Names down to the key.
    package var path: [String]
}

/// The text of a document while it is changed.
private struct EditedText {
    private var scalars: [Unicode.Scalar]
    private let lineBreak: String

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        lineBreak = text.unicodeScalars.contains("\r") ? "\r\n" : "\n"
    }

    var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    var count: Int { scalars.count }

    mutating func replace(_ range: Range<Int>, with text: String) {
        scalars.replaceSubrange(range, with: text.unicodeScalars)
    }

    mutating func removeSubrange(_ range: Range<Int>) { scalars.removeSubrange(range) }

    /// Inserts a line before the place, which is the beginning of a line or the end of the text.
    mutating func insert(line: String, at place: Int) {
        let start = place > 0 && scalars[place - 1] != "\n" ? lineBreak : ""
        scalars.insert(contentsOf: (start + line + lineBreak).unicodeScalars, at: place)
    }

    /// Inserts lines after an empty one.
    mutating func insert(block lines: [String], at place: Int) {
        let isFirst = place == 0 || scalars.count == 0
        insert(line: (isFirst ? lines : [""] + lines).joined(separator: lineBreak), at: place)
    }
}

extension TOMLTable {
    fileprivate func setting(_ path: ArraySlice<String>, to value: TOMLValue) -> TOMLTable {
        guard let name = path.first else { return self }
        var result = self
        let nowhere = TextPosition(line: 0, column: 0)
        if path.count == 1 {
            result[name] = TOMLNode(value: value, position: nowhere)
            return result
        }
        var inner: TOMLTable = [:]
        if case .table(let table)? = self[name]?.value { inner = table }
        result[name] = TOMLNode(value: .table(inner.setting(path.dropFirst(), to: value)), position: nowhere)
        return result
    }

    fileprivate func removing(_ path: ArraySlice<String>) -> TOMLTable {
        guard let name = path.first, let node = self[name] else { return self }
        var result = self
        if path.count == 1 {
            result[name] = nil
        } else if case .table(let inner) = node.value {
            result[name]?.value = .table(inner.removing(path.dropFirst()))
        }
        return result
    }
}

extension TOMLValue {
    /// Returns whether two values are equal, wherever they are in their documents.
    package func isSame(as other: TOMLValue) -> Bool {
        switch (self, other) {
        case (.array(let one), .array(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.value.isSame(as: $1.value) }
        case (.table(let one), .table(let two)):
            one.count == two.count
                && one.allSatisfy { key, node in two[key].map { node.value.isSame(as: $0.value) } ?? false }
        case (.float(let one), .float(let two)): one == two || one.isNaN && two.isNaN
        default: self == other
        }
    }
}
