extension TOMLTableNode {
    /// Returns the table of a header `[a.b]`, which no other header or dotted key has defined.
    func addTable(_ name: TOMLKey) throws(TOMLError) -> TOMLTableNode {
        let owner = try self.owner(of: name)
        guard let entry = owner.entries[name.last.name] else {
            return owner.addTable(name.last, origin: .header)
        }
        guard case .table(let table) = entry.content, table.origin == .implied else {
            throw TOMLError(
                position: name.last.position,
                mistake: .duplicateTable(name.last.name, first: entry.position))
        }
        table.origin = .header
        owner.entries[name.last.name]?.position = name.last.position
        return table
    }

    /// Returns a new table of a header `[[a.b]]`.
    func addElement(_ name: TOMLKey) throws(TOMLError) -> TOMLTableNode {
        let owner = try self.owner(of: name)
        let (key, position) = (name.last.name, name.last.position)
        let table = TOMLTableNode(origin: .header, depth: owner.depth + 1)
        switch owner.entries[key] {
        case nil: owner.entries[key] = Entry(position: position, content: .array(TOMLTableArray(table, at: position)))
        case let entry?:
            guard case .array(let array) = entry.content else {
                throw TOMLError(
                    position: position,
                    mistake: .notAnArrayOfTables(key, kind: entry.content.kind, first: entry.position))
            }
            array.append(table, at: position)
        }
        return table
    }

    /// Returns the table and the name under which the value of a dotted key is to be entered.
    func reserve(_ key: TOMLKey) throws(TOMLError) -> (owner: TOMLTableNode, last: TOMLKeyPart) {
        var owner = self
        for part in key.owners {
            guard let entry = owner.entries[part.name] else {
                owner = owner.addTable(part, origin: .dottedKey)
                continue
            }
            guard case .table(let table) = entry.content else {
                throw TOMLError(
                    position: part.position,
                    mistake: .closed(part.name, kind: entry.content.kind, first: entry.position))
            }
            guard table.origin != .header else {
                throw TOMLError(
                    position: part.position, mistake: .duplicateTable(part.name, first: entry.position))
            }
            table.origin = .dottedKey
            owner = table
        }
        if let entry = owner.entries[key.last.name] {
            throw TOMLError(
                position: key.last.position, mistake: .duplicateKey(key.last.name, first: entry.position))
        }
        return (owner, key.last)
    }

    /// Returns the table that contains the last name of a header.
    private func owner(of name: TOMLKey) throws(TOMLError) -> TOMLTableNode {
        var owner = self
        for part in name.owners {
            guard let entry = owner.entries[part.name] else {
                owner = owner.addTable(part, origin: .implied)
                continue
            }
            switch entry.content {
            case .table(let table): owner = table
            case .array(let array): owner = array.last
            case .value:
                throw TOMLError(
                    position: part.position,
                    mistake: .closed(part.name, kind: entry.content.kind, first: entry.position))
            }
        }
        return owner
    }

    private func addTable(_ part: TOMLKeyPart, origin: Origin) -> TOMLTableNode {
        let table = TOMLTableNode(origin: origin, depth: depth + 1)
        entries[part.name] = Entry(position: part.position, content: .table(table))
        return table
    }
}
