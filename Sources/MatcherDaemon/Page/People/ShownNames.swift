import InteractionStore
import Matching
import Pages
import People

/// Names of subjects for officers: of the person where the register has one.
struct ShownNames: Sendable {
    private var people: [SubjectIdentity: Person]

    /// Reads the names of subjects.
    ///
    /// - Throws: `StoreError`.
    init(_ subjects: Set<SubjectIdentity>, in store: InteractionStore) throws {
        people = try store.people(of: subjects)
    }

    /// Returns what all subjects of one person have in common.
    func key(_ subject: SubjectIdentity) -> String { people[subject].map { "person \($0.number)" } ?? "\(subject)" }

    func link(_ subject: SubjectIdentity) -> PersonLink {
        if let person = people[subject] { return Self.link(person) }
        return PersonLink(Self.kind(subject), id: subject.id, path: Self.path(of: subject))
    }

    static func link(_ person: Person) -> PersonLink {
        PersonLink(person.name, id: person.number, path: PageRoute.person.path(["number": person.number]))
    }

    /// Returns the path of the page of a badge or phone, or of its owner.
    static func path(of subject: SubjectIdentity) -> String {
        PageRoute.person.path(["subject": subject.description])
    }

    /// Returns the people to whom subjects belong, each once.
    func links(_ subjects: [SubjectIdentity]) -> [PersonLink] {
        var seen: Set<String> = []
        return subjects.filter { seen.insert(key($0)).inserted }.map { link($0) }
    }

    /// Returns the contact of a subject's person; empty if none is known.
    func contact(_ subject: SubjectIdentity) -> String {
        people[subject].map { $0.contact.joined(separator: ", ") } ?? ""
    }

    static func kind(_ subject: SubjectIdentity) -> String {
        switch subject.kind {
        case SubjectIdentity.badge: "Badge"
        case SubjectIdentity.phone: "Phone"
        default: subject.kind
        }
    }
}
