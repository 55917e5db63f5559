package import People

extension InteractionStore {
    /// Looks up one person by number or name.
    ///
    /// - Throws: `StoreError`.
    package func person(_ query: PersonQuery) throws -> PersonMatch {
        try database.read { session in
            let numbered = try session.person(numbered: query.number)?.person
            let forms = query.name.wholeForms.sorted()
            var namesakes = PersonChoices(people: [], others: 0, haveWholeName: true)
            if let first = forms.first, let last = forms.last {
                // One word can be a word of a longer name too, which isn't its whole name.
                let isWhole = first.contains(" ") ? "" : "p.folded NOT LIKE '% %' AND "
                namesakes = try session.choices(
                    isWhole + "p.id IN (SELECT person FROM person_word WHERE word IN ($1, $2)) AND p.number <> $3",
                    [.text(first), .text(last), .text(query.number)], haveWholeName: true)
            }
            return try PersonMatch(numbered: numbered, namesakes: namesakes) { try session.partly(query) }
        }
    }

    /// Returns the people of whom a text is the number or who have words in their names that begin as its words do.
    ///
    /// - Throws: `StoreError`.
    package func people(matching query: PersonQuery) throws -> PersonChoices {
        try database.read { session in
            var choices = try session.partly(query)
            guard let numbered = try session.person(numbered: query.number)?.person else { return choices }
            choices.people.insert(numbered, at: 0)
            if choices.people.count > PersonChoices.most {
                choices.people.removeLast()
                choices.others += 1
            }
            return choices
        }
    }
}

extension SQLSession {
    /// The last character, which no word begins with.
    private var end: String { "\u{10FFFF}" }

    /// Returns the people who have words in their names that begin as those of a query do, without the person of whom
    /// the query is the number.
    fileprivate func partly(_ query: PersonQuery) throws -> PersonChoices {
        if query.prefixes.isEmpty { return PersonChoices(people: [], others: 0, haveWholeName: false) }
        var arguments: [SQLValue] = [.text(query.number)]
        // Not `OR`, with which PostgreSQL reads the whole table.
        // The longest first: SQLite looks up the first one, and only compares the people found with the others.
        let prefixes = query.prefixes.sorted { ($0.first?.utf8.count ?? 0) > ($1.first?.utf8.count ?? 0) }
        let words = prefixes.map { forms in
            let ranges = forms.map { form in
                arguments += [.text(form), .text(form + end)]
                return "word >= $\(arguments.count - 1) AND word < $\(arguments.count)"
            }
            return "p.id IN (SELECT person FROM person_word WHERE \(ranges.joined(separator: " OR ")))"
        }
        return try choices(
            (words + ["p.number <> $1"]).joined(separator: " AND "), arguments, haveWholeName: false)
    }

    /// Returns the first people for whom a condition holds, by name, and how many others there are.
    fileprivate func choices(
        _ condition: String, _ arguments: [SQLValue], haveWholeName: Bool
    ) throws -> PersonChoices {
        let total = try count("SELECT count(*) FROM person p WHERE \(condition)", arguments)
        var ids: [Int64] = []
        if total > 0 {
            try query(
                "SELECT p.id FROM person p WHERE \(condition) ORDER BY p.folded, p.number LIMIT \(PersonChoices.most)",
                arguments
            ) { ids.append($0.integer(0)) }
        }
        let people = try people(ids: ids)
        let found = ids.compactMap { people[$0] }
        return PersonChoices(people: found, others: max(0, total - found.count), haveWholeName: haveWholeName)
    }
}
