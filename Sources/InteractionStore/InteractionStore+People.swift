package import Matching
package import People

/// Loss of the register of people by an erasure.
package enum RegisterLoss: String, Sendable {
    /// A badge or phone of a person who has others.
    case subject
    /// A person without another badge or phone.
    case person
}

extension InteractionStore {
    /// Replaces the register of people by others, in one transaction.
    ///
    /// - Parameters:
    ///   - people: people as `PeopleFile` reads them: no number and no subject occurs twice.
    ///   - keepsOthers: whether those who are not among them stay.
    ///   - isTrial: whether the register stays as it is.
    ///   - entry: entry of the audit, which is stored with the changes.
    /// - Returns: the changes. Nothing is changed if there are conflicts.
    /// - Throws: `StoreError`.
    package func importPeople(
        _ people: [Person], keepsOthers: Bool, isTrial: Bool, audit entry: AuditEntry? = nil
    ) throws -> PeopleDifference {
        if isTrial {
            return try database.read { session in
                PeopleDifference(from: try session.register().people, to: people, keepsOthers: keepsOthers)
            }
        }
        return try database.write { session in
            try session.lockShared()
            try session.lockRegister()
            let register = try session.register()
            let difference = PeopleDifference(from: register.people, to: people, keepsOthers: keepsOthers)
            guard difference.conflicts.isEmpty else { return difference }
            try session.apply(difference, ids: register.ids)
            try session.note(entry)
            return difference
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
