package import Matching
package import People

/// Loss of the register of people by an erasure.
package enum RegisterLoss: String, Sendable {
    /// A badge or phone of a person who has others.
    case subject
    /// A person without another badge or phone.
    case person
}

/// What became of the wish to import people.
package enum PeopleImport: Equatable, Sendable {
    case done(PeopleDifference)
    /// Nothing was changed: there are conflicts, nobody agreed to these changes, or the list does not wait any more.
    case refused(PeopleDifference)
}

extension InteractionStore {
    /// Returns what an import would change in the register.
    ///
    /// - Parameters:
    ///   - people: people as `PeopleFile` reads them: no number and no subject occurs twice.
    ///   - keepsOthers: whether those who are not among them stay.
    /// - Throws: `StoreError`.
    package func peopleDifference(to people: [Person], keepsOthers: Bool) throws -> PeopleDifference {
        try database.read { session in
            PeopleDifference(from: try session.register().people, to: people, keepsOthers: keepsOthers)
        }
    }

    /// Replaces the register of people by others, in one transaction.
    ///
    /// - Parameters:
    ///   - people: people as `PeopleFile` reads them: no number and no subject occurs twice.
    ///   - keepsOthers: whether those who are not among them stay.
    ///   - list: list that waits and has these people, which is deleted in the same transaction. Nothing is changed if
    ///     it does not wait any more.
    ///   - isAgreed: returns whether somebody has agreed to exactly these changes.
    ///   - entry: returns the entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func importPeople(
        _ people: [Person], keepsOthers: Bool, from list: UploadedFile? = nil,
        isAgreed: (PeopleDifference) -> Bool, audit entry: (PeopleDifference) -> AuditEntry
    ) throws -> PeopleImport {
        try database.write { session -> PeopleImport in
            try session.lockShared()
            try session.lockRegister()
            let register = try session.register()
            let difference = PeopleDifference(from: register.people, to: people, keepsOthers: keepsOthers)
            guard difference.conflicts.isEmpty, isAgreed(difference) else { return .refused(difference) }
            // An erasure deletes all lists that wait: they can have what was erased.
            if let list, try !session.drop(list) { return .refused(difference) }
            try session.apply(difference, ids: register.ids)
            try session.note(entry(difference))
            return .done(difference)
        }
    }

    /// Removes a person from the register. What is stored of the person's badges and phones stays.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: the person; `nil` if nobody has the number.
    /// - Throws: `StoreError`.
    package func removePerson(number: String, audit entry: AuditEntry? = nil) throws -> Person? {
        try database.write { session in
            try session.lockShared()
            try session.lockRegister()
            guard let (id, person) = try session.person(numbered: number) else { return nil }
            try session.note(entry)
            try session.removeMail(of: [id])
            try session.removeQuestionnaires(of: [id])
            try session.removeSubmittedResults(of: [id])
            try session.removeNames(of: [id])
            try session.execute("DELETE FROM person WHERE id = $1", [.integer(id)])
            return person
        }
    }

    /// Returns the number of people in the register.
    ///
    /// - Throws: `StoreError`.
    package func peopleCount() throws -> Int {
        try database.read { try $0.count("SELECT count(*) FROM person") }
    }

    /// Returns the person with a number.
    ///
    /// - Throws: `StoreError`.
    package func person(number: String) throws -> Person? {
        try database.read { try $0.person(numbered: number)?.person }
    }

    /// Returns the people with some numbers, by number.
    ///
    /// - Throws: `StoreError`.
    package func people(numbers: Set<String>) throws -> [String: Person] {
        if numbers.isEmpty { return [:] }
        return try database.read { session in
            var ids: [Int64] = []
            try session.find("id", in: "person", where: "number", is: numbers.sorted(), isLocking: false) { row in
                ids.append(row.integer(0))
            }
            var people: [String: Person] = [:]
            for person in try session.people(ids: ids).values { people[person.number] = person }
            return people
        }
    }

    /// Returns the people to whom subjects belong; a subject that is not in the register is left out.
    ///
    /// - Throws: `StoreError`.
    package func people(of subjects: Set<SubjectIdentity>) throws -> [SubjectIdentity: Person] {
        if subjects.isEmpty { return [:] }
        return try database.read { try $0.people(of: subjects) }
    }

    /// Returns a page of the register in the order of numbers, compared byte by byte.
    ///
    /// - Parameters:
    ///   - number: the last number of the page before; `nil` for the first page.
    ///   - limit: the maximum number of people.
    /// - Throws: `StoreError`.
    package func people(after number: String?, limit: Int) throws -> [Person] {
        try database.read { session in
            var ids: [Int64] = []
            try session.query(
                "SELECT id FROM person WHERE number > $1 ORDER BY number LIMIT $2",
                [.text(number ?? ""), .integer(Int64(limit))]
            ) { row in
                ids.append(row.integer(0))
            }
            let people = try session.people(ids: ids)
            return ids.compactMap { people[$0] }
        }
    }
}

extension SQLSession {
    /// Returns the person with a number, after the number of the row.
    func person(numbered number: String) throws -> (id: Int64, person: Person)? {
        let id = try first("SELECT id FROM person WHERE number = $1", [.text(number)]) { $0.integer(0) }
        guard let id, let person = try people(ids: [id])[id] else { return nil }
        return (id, person)
    }
}
