/// Answer to a query for one person.
package enum PersonMatch: Equatable, Sendable {
    /// The only person with the number or the whole name.
    case found(Person)
    /// People of whom one must be chosen: several of one name, or some of whose names only parts were given.
    case choices(PersonChoices)
    case nothing

    /// Decides what a query found. Nobody is found by a part of a name, even if only one person has it.
    ///
    /// - Parameters:
    ///   - numbered: the person whose number the query is.
    ///   - namesakes: the other people whose whole name it is.
    ///   - partly: people whose names have words that begin as those of the query do.
    package init(
        numbered: Person?, namesakes: PersonChoices, partly: () throws -> PersonChoices
    ) rethrows {
        var whole = namesakes
        if let numbered { whole.people.insert(numbered, at: 0) }
        if whole.people.count == 1, whole.others == 0 {
            self = .found(whole.people[0])
        } else if !whole.people.isEmpty {
            self = .choices(whole.limited)
        } else {
            let partly = try partly()
            self = partly.people.isEmpty ? .nothing : .choices(partly.limited)
        }
    }
}

/// Some of the people that fit a query.
package struct PersonChoices: Equatable, Sendable {
    /// At most `most`, by name and number.
    package var people: [Person]
    /// Number of the others that fit too.
    package var others: Int
    /// Whether the query is the whole name or the number of each.
    package var haveWholeName: Bool

    package static let most = 20

    package init(people: [Person], others: Int, haveWholeName: Bool) {
        self.people = people
        self.others = others
        self.haveWholeName = haveWholeName
    }

    fileprivate var limited: Self {
        let left = max(0, people.count - Self.most)
        return Self(people: Array(people.prefix(Self.most)), others: others + left, haveWholeName: haveWholeName)
    }
}
