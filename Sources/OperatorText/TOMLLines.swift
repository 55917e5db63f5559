/// Line numbers of the keys in a TOML file, for messages. Only tables with headers of their own are covered.
///
/// The TOML library keeps no line numbers of what it has read. A multi-line string may be mistaken for keys; its only
/// effect is a message with a wrong line.
package struct TOMLLines {
    private var lines: [String: Int] = [:]
    /// Number of headers of each list of tables, by the path of the list.
    private var counts: [String: Int] = [:]

    package init(_ text: String) {
        var table = ""
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let content = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
            if content.hasPrefix("[[") {
                table = self.path(String(content.dropFirst(2).prefix { $0 != "]" }), isElement: true)
            } else if content.hasPrefix("[") {
                table = self.path(String(content.dropFirst().prefix { $0 != "]" }), isElement: false)
            } else if !content.hasPrefix("#"), let equals = content.firstIndex(of: "=") {
                let key = content[..<equals].filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
                note(table.isEmpty ? key : table + "." + key, index + 1)
                continue
            } else {
                continue
            }
            note(table, index + 1)
            // The list as a whole is where its first table is.
            if table.hasSuffix("[0]") { note(String(table.dropLast(3)), index + 1) }
        }
    }

    /// Returns the line of a key, or else that of the table or list that contains it, or from which it is missing.
    ///
    /// - Parameter path: the path of the key: `device[0].phase[1].in-range`.
    package func line(of path: String) -> Int? {
        var path = path[...]
        // Quoted names can contain any number of dots.
        for _ in 0...2 * TOMLPrecheck.mostParts where !path.isEmpty {
            if let line = lines[String(path)] { return line }
            guard let cut = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = path[..<cut]
        }
        return nil
    }

    private mutating func note(_ path: String, _ line: Int) {
        if lines[path] == nil { lines[path] = line }
    }

    /// Returns the path of a header, with the index in each list that contains it.
    private mutating func path(_ header: String, isElement: Bool) -> String {
        let names = header.split(separator: ".", maxSplits: TOMLPrecheck.mostParts)
            .map { $0.filter { !" \t\"'".contains($0) } }
        var path = ""
        for (index, name) in names.enumerated() {
            path += (path.isEmpty ? "" : ".") + name
            if isElement, index == names.count - 1 { counts[path, default: 0] += 1 }
            if let count = counts[path] { path += "[\(count - 1)]" }
        }
        return path
    }
}
