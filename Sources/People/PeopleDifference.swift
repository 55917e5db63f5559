package import Matching

/// Changes that an import makes in the register.
package struct PeopleDifference: Equatable, Sendable {
    package struct Change: Equatable, Sendable {
        package var former: Person
        package var new: Person

        package init(former: Person, new: Person) {
            self.former = former
            self.new = new
        }

        /// The person and what changes of them, in one line.
        package var text: String {
            var parts: [String] = []
            if former.name != new.name { parts.append("name, was \(former.name)") }
            if former.contact != new.contact { parts.append("contact") }
            if former.subjects != new.subjects { parts.append("badges and phones") }
            return parts.isEmpty ? new.label : "\(new.label): \(parts.joined(separator: "; "))"
        }
    }

    /// A badge or phone that the file gives to one person while the register keeps it for another.
    package struct Conflict: Equatable, Sendable {
        package var subject: SubjectIdentity
        package var imported: Person
        package var kept: Person

        package init(subject: SubjectIdentity, imported: Person, kept: Person) {
            self.subject = subject
            self.imported = imported
            self.kept = kept
        }
    }

    /// A badge or phone that passes from a person of the register to another, with what was heard of it before.
    package struct PassingOn: Equatable, Sendable {
        package var subject: SubjectIdentity
        package var former: Person
        package var new: Person

        package init(subject: SubjectIdentity, former: Person, new: Person) {
            self.subject = subject
            self.former = former
            self.new = new
        }

        /// What passes from whom to whom, in one line.
        package var text: String { "\(subject) from \(former.label) to \(new.label)" }
    }

    package private(set) var added: [Person] = []
    package private(set) var changed: [Change] = []
    package private(set) var removed: [Person] = []
    package private(set) var unchanged = 0
    /// Empty unless people who are not in the file are kept; nothing can be imported otherwise.
    package private(set) var conflicts: [Conflict] = []
    /// What passes between people, in the order of those who get it. Conflicts are not among them.
    package private(set) var passedOn: [PassingOn] = []

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// The numbers of people and of badges and phones, in one line.
    package var summary: String {
        "\(added.count) new, \(changed.count) changed, \(removed.count) removed, \(unchanged) unchanged"
            + (passedOn.isEmpty ? "" : ", \(passedOn.count) passed on")
    }

    /// Compares the register with a file.
    ///
    /// - Parameters:
    ///   - register: everybody of the register, each number once.
    ///   - file: everybody of the file, each number once.
    ///   - keepsOthers: whether people who are not in the file stay in the register.
    package init(from register: [Person], to file: [Person], keepsOthers: Bool) {
        var former: [String: Person] = [:]
        for person in register { former[person.number] = person }
        for person in file.sorted(by: { $0.number < $1.number }) {
            guard let known = former.removeValue(forKey: person.number) else {
                added.append(person)
                continue
            }
            if known == person { unchanged += 1 } else { changed.append(Change(former: known, new: person)) }
        }
        let absent = former.values.sorted { $0.number < $1.number }
        if !keepsOthers { removed = absent }
        var owners: [SubjectIdentity: Person] = [:]
        for person in register { for subject in person.subjects { owners[subject] = person } }
        for person in (added + changed.map(\.new)).sorted(by: { $0.number < $1.number }) {
            for subject in person.subjects {
                guard let owner = owners[subject], owner.number != person.number else { continue }
                // The others who are absent are removed, so that nothing stays theirs.
                if keepsOthers, former[owner.number] != nil {
                    conflicts.append(Conflict(subject: subject, imported: person, kept: owner))
                } else {
                    passedOn.append(PassingOn(subject: subject, former: owner, new: person))
                }
            }
        }
    }
}
