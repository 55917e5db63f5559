extension TOMLTable {
    /// Returns the position of a key or element by its path, `beacons.uuids[1]`, or else that of the list or table that
    /// it is missing from. Returns `nil` if not even the first part is there.
    func position(of path: String) -> TextPosition? {
        // A quoted key can contain dots and brackets.
        if let node = self[path] { return node.position }
        let head = path.prefix { $0 != "." }
        let name = head.prefix { $0 != "[" }
        guard var node = self[String(name)] else { return nil }
        if case .array(let elements) = node.value, let index = Int(head.dropFirst(name.count + 1).dropLast()),
            elements.indices.contains(index)
        {
            node = elements[index]
        }
        guard case .table(let table) = node.value else { return node.position }
        return table.position(of: String(path.dropFirst(head.count + 1))) ?? node.position
    }
}
