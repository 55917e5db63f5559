import ArgumentParser
import Matching
import OperatorText
import People

/// Readers of option values. Their errors state what is allowed.
enum MatcherOption {
    static func subject(_ text: String) throws -> SubjectIdentity {
        guard let subject = SubjectIdentity(text) else {
            throw ValidationError(SubjectIdentity.allowed(insteadOf: text))
        }
        return subject
    }

    /// Reads a subject, or the name or number of a person of the register. What has a colon is a subject.
    static func named(_ text: String) throws -> NamedSubject {
        if text.contains(":") { return .subject(try subject(text)) }
        guard let query = PersonQuery(text) else {
            throw ValidationError("must be \(SubjectIdentity.form), or the name or number of a registered person")
        }
        return .person(query, text: text)
    }

    static func time(_ text: String) throws -> DayOrTime {
        guard let time = DayOrTime(text) else { throw ValidationError("must be \(DayOrTime.form)") }
        return time
    }

    /// Reads a day, in days since 1970.
    static func day(_ text: String) throws -> Int64 {
        guard let day = DayText.parse(text) else { throw ValidationError("must be \(DayText.form)") }
        return day
    }
}
