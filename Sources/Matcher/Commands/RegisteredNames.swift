import InteractionStore
import Matching
import People

/// Names of the people to whom subjects belong, for tables and documents.
struct RegisteredNames {
    private(set) var people: [SubjectIdentity: Person] = [:]

    /// Reads the names from the register.
    ///
    /// - Throws: `StoreError`.
    init(of subjects: some Sequence<SubjectIdentity>, in store: InteractionStore) throws {
        people = try store.people(of: Set(subjects))
    }

    /// Returns the name and number of a subject's person; the identifier if the register does not have it.
    func label(of subject: SubjectIdentity) -> String { people[subject]?.label ?? subject.description }

    /// Returns the identifier of a subject, followed by the name and number of its person.
    func line(of subject: SubjectIdentity) -> String {
        subject.description + (people[subject].map { "  \($0.label)" } ?? "")
    }

    /// Returns the people of a list of subjects, each once, and the identifiers of those without one.
    func labels(of subjects: [SubjectIdentity]) -> [String] {
        subjects.map(label).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
