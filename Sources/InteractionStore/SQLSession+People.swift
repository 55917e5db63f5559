import Matching
import People

extension SQLSession {
    /// Returns everybody of the register by number, with the numbers of their rows.
    func register() throws -> (people: [Person], ids: [String: Int64]) {
        var subjects: [Int64: [SubjectIdentity]] = [:]
        try query("SELECT person, kind, name FROM person_subject") { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? "") else { return }
            subjects[row.integer(0), default: []].append(subject)
        }
        var people: [Person] = []
        var ids: [String: Int64] = [:]
        try query("SELECT id, number, name, contact FROM person ORDER BY number") { row in
            let person = row.person(with: subjects[row.integer(0)] ?? [])
            people.append(person)
            ids[person.number] = row.integer(0)
        }
        return (people, ids)
    }

    /// Returns the people with these row numbers; who is not there is left out.
    func people(ids: [Int64]) throws -> [Int64: Person] {
        var subjects: [Int64: [SubjectIdentity]] = [:]
        var people: [Int64: Person] = [:]
        try inParts(ids) { list, arguments in
            try query("SELECT person, kind, name FROM person_subject WHERE person IN (\(list))", arguments) { row in
                guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? "") else { return }
                subjects[row.integer(0), default: []].append(subject)
            }
            try query("SELECT id, number, name, contact FROM person WHERE id IN (\(list))", arguments) { row in
                people[row.integer(0)] = row.person(with: subjects[row.integer(0)] ?? [])
            }
        }
        return people
    }

    /// Returns the people to whom subjects belong.
    func people(of subjects: Set<SubjectIdentity>) throws -> [SubjectIdentity: Person] {
        if subjects.isEmpty { return [:] }
        var owners: [SubjectIdentity: Int64] = [:]
        try find(
            "kind, name, person", in: "person_subject", where: "name", is: Set(subjects.map(\.id)).sorted(),
            isLocking: false
        ) { row in
            guard let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? ""),
                subjects.contains(subject)
            else { return }
            owners[subject] = row.integer(2)
        }
        let people = try people(ids: Set(owners.values).sorted())
        return owners.compactMapValues { people[$0] }
    }

    /// Changes the register. Nobody who gets the badge or phone of another is told by e-mail of its past.
    ///
    /// - Parameters:
    ///   - difference: a difference without conflicts.
    ///   - ids: numbers of the rows of everybody of the register, by the number of the person.
    func apply(_ difference: PeopleDifference, ids: [String: Int64]) throws {
        let receivers = try receiversWithoutNews(difference)
        let removed = difference.removed.compactMap { ids[$0.number] }
        try removeMail(of: removed)
        try removeQuestionnaires(of: removed)
        try removeSubmittedResults(of: removed)
        try removeNames(of: removed + difference.changed.compactMap { ids[$0.new.number] })
        try inParts(removed) { try execute("DELETE FROM person WHERE id IN (\($0))", $1) }
        let written = difference.added + difference.changed.map(\.new)
        // A statement of PostgreSQL takes all rows in one buffer.
        for start in stride(from: 0, to: written.count, by: 10_000) {
            try write(Array(written[start..<min(start + 10_000, written.count)]))
        }
        for person in receivers { try know(try notice(of: person.subjects), number: person.number) }
    }

    /// Returns the people who want e-mails, who get the badge or phone of another, and of whom there is no news of their
    /// own to be sent. Somebody who is new in the register has not asked for e-mails.
    private func receiversWithoutNews(_ difference: PeopleDifference) throws -> [Person] {
        let numbers = Set(difference.passedOn.map(\.new.number))
        return try difference.changed.filter { change in
            guard numbers.contains(change.new.number), let known = try knownNotice(number: change.new.number) else {
                return false
            }
            return try notice(of: change.former.subjects)?.isNews(after: known) != true
        }.map(\.new)
    }

    /// Removes a subject from the register, and the person who has no other.
    ///
    /// - Returns: what the register lost; `nil` if it did not have the subject.
    func removeFromRegister(_ subject: SubjectIdentity) throws -> RegisterLoss? {
        let name: [SQLValue] = [.text(subject.id), .text(subject.kind)]
        let owner = try first("SELECT person FROM person_subject WHERE name = $1 AND kind = $2", name) {
            $0.integer(0)
        }
        guard let owner else { return nil }
        try execute("DELETE FROM person_subject WHERE name = $1 AND kind = $2", name)
        // Answers can follow from what this subject was told.
        try removeQuestionnaires(of: [owner])
        try removeSubmittedResults(of: [owner])
        let hasOthers = try first("SELECT 1 FROM person_subject WHERE person = $1", [.integer(owner)]) { _ in true }
        if hasOthers == true {
            // An e-mail may have been about this subject. What is known of the others is no news.
            try removeMail(of: [owner], keepsPreferences: true)
            if let person = try people(ids: [owner])[owner] {
                try know(try notice(of: person.subjects), number: person.number)
            }
            return .subject
        }
        try removeMail(of: [owner])
        try removeNames(of: [owner])
        try execute("DELETE FROM person WHERE id = $1", [.integer(owner)])
        return .person
    }

    /// Removes the subjects and the words of people, by the numbers of their rows.
    func removeNames(of ids: [Int64]) throws {
        try inParts(ids) { list, arguments in
            try execute("DELETE FROM person_subject WHERE person IN (\(list))", arguments)
            try execute("DELETE FROM person_word WHERE person IN (\(list))", arguments)
        }
    }

    private func write(_ people: [Person]) throws {
        var ids: [String: Int64] = [:]
        let rows = people.map { person -> [SQLValue] in
            [
                .text(person.number), .text(person.name), .text(FoldedName(person.name).text),
                .text(person.contact.joined(separator: "\n")),
            ]
        }
        try insert(StoreSchema.personInsertion, rows: rows) { row in
            if let number = row.text(1) { ids[number] = row.integer(0) }
        }
        var subjects: [[SQLValue]] = []
        var words: [[SQLValue]] = []
        for person in people {
            guard let id = ids[person.number] else { continue }
            for subject in person.subjects { subjects.append([.text(subject.kind), .text(subject.id), .integer(id)]) }
            let name = FoldedName(person.name)
            for word in name.words.reduce(name.wholeForms, { $0.union($1) }).sorted() {
                words.append([.text(word), .integer(id)])
            }
        }
        try insert(StoreSchema.personSubjectInsertion, rows: subjects) { _ in }
        try insert(StoreSchema.personWordInsertion, rows: words) { _ in }
    }

    /// Calls `body` with the list of the arguments of a statement, and these, for each part of some numbers.
    func inParts(_ ids: [Int64], _ body: (String, [SQLValue]) throws -> Void) throws {
        try inParts(ids.map { SQLValue.integer($0) }, body)
    }

    /// Calls `body` with the list of the arguments of a statement, and these, for each part of some values. The text
    /// is the same each time: a statement has at most 32 arguments, of which the last is repeated.
    func inParts(_ values: [SQLValue], _ body: (String, [SQLValue]) throws -> Void) throws {
        let size = 30
        let list = (1...size).map { "$\($0)" }.joined(separator: ", ")
        for start in stride(from: 0, to: values.count, by: size) {
            let part = values[start..<min(start + size, values.count)]
            guard let last = part.last else { return }
            try body(list, Array(part) + [SQLValue](repeating: last, count: size - part.count))
        }
    }
}

extension SQLRow {
    /// Reads a person from the columns `id`, `number`, `name` and `contact`.
    func person(with subjects: [SubjectIdentity]) -> Person {
        Person(
            number: text(1) ?? "", name: text(2) ?? "",
            contact: (text(3) ?? "").split(separator: "\n").map(String.init), subjects: subjects)
    }
}
