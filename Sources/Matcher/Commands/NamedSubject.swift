import Matching
import People

/// Whom an argument names: a badge or phone, or somebody of the register of people.
enum NamedSubject: Equatable, Sendable {
    case subject(SubjectIdentity)
    /// The query, and the text of the argument.
    case person(PersonQuery, text: String)
}
