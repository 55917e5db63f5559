import BeaconModel
import CommandSupport
import InteractionStore
import Matching
import OperatorText
import People

/// The subjects of a command line, with all badges and phones of the people that it names.
struct NamedSubjects {
    /// In the order of the command line, each once.
    var subjects: [SubjectIdentity] = []
    /// People of the register who were named.
    var people: [Person] = []
    /// How the audit names each argument, as the page does: number of a person, or a subject.
    var audited: [String] = []

    /// Looks up whom the arguments name, and notes the badges and phones of each person.
    ///
    /// - Throws: `AmbiguousPerson`, `UnknownPerson`, `PersonWithoutSubject`; `StoreError`.
    init(_ named: [NamedSubject], in store: InteractionStore) throws {
        for one in named {
            switch one {
            case .subject(let subject):
                add(subject)
                audited.append(subject.description)
            case .person(let query, let text):
                let person = try Self.person(query, text: text, in: store)
                guard !person.subjects.isEmpty else { throw PersonWithoutSubject(person: person) }
                Terminal.note("\(person.label): \(person.subjects.map(\.description).joined(separator: ", "))")
                people.append(person)
                audited.append(person.number)
                for subject in person.subjects { add(subject) }
            }
        }
    }

    /// Returns the person whom a text names.
    private static func person(_ query: PersonQuery, text: String, in store: InteractionStore) throws -> Person {
        try store.noteCommand(.searchedPeople, AuditEntry.searched(text))
        switch try store.person(query) {
        case .found(let person): return person
        case .choices(let choices): throw AmbiguousPerson(text: text, choices: choices)
        case .nothing: throw UnknownPerson(text: text, isEmpty: try store.peopleCount() == 0)
        }
    }

    private mutating func add(_ subject: SubjectIdentity) {
        if !subjects.contains(subject) { subjects.append(subject) }
    }
}

/// A text that several people fit, or that is only a part of a name.
struct AmbiguousPerson: OperatorError {
    var text: String
    var choices: PersonChoices

    var what: String {
        let count = choices.people.count + choices.others
        let first =
            choices.haveWholeName
            ? "\(count) people are named \(text.excerpt):"
            : "\(text.excerpt) is nobody's whole name or number; \(count) \(count == 1 ? "person fits" : "people fit"):"
        var lines = [first] + choices.people.map { "  \($0.number)  \($0.name)" }
        if choices.others > 0 { lines.append("  and \(choices.others) more") }
        return lines.joined(separator: "\n")
    }
    var meaning: String? { "nothing was done" }
    var remedy: String? {
        choices.people.first.map { "specify the number of the person, such as \(Self.quoted($0.number))" }
    }
    var exitStatus: ExitStatus { .usage }

    /// Returns an argument for a shell.
    private static func quoted(_ number: String) -> String {
        let isPlain = number.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return isPlain ? number : "'" + number.replacing("'", with: "'\\''") + "'"
    }
}

/// A text that nobody of the register fits.
struct UnknownPerson: OperatorError {
    var text: String
    /// Whether the register has nobody at all.
    var isEmpty: Bool

    var what: String {
        isEmpty
            ? "\(text.excerpt) is no badge or phone, and the register of people is empty"
            : "the register has nobody with the name or number \(text.excerpt)"
    }
    var remedy: String? {
        let subject = "specify a badge or phone, \(SubjectIdentity.form)"
        return isEmpty
            ? "\(subject), or import people with: beacon-matcher people import FILE"
            : "search with: beacon-matcher people list PART-OF-A-NAME, or \(subject)"
    }
    var exitStatus: ExitStatus { .usage }
}

/// A person who has no badge or phone in the register.
struct PersonWithoutSubject: OperatorError {
    var person: Person

    var what: String { "the register has no badge or phone of \(person.label)" }
    var remedy: String? { "add it to the file of people, and import that again" }
    var exitStatus: ExitStatus { .usage }
}
