import Matching
import People

/// Person or device that an argument names: a badge or phone, or somebody in the register of people.
enum NamedSubject: Equatable, Sendable {
    case subject(SubjectIdentity)
    /// The query, and the text of the argument.
    case person(PersonQuery, text: String)
}
