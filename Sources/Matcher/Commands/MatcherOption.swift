import ArgumentParser
import Matching
import OperatorText

/// Readers of option values. Their errors state what is allowed.
enum MatcherOption {
    static func subject(_ text: String) throws -> SubjectIdentity {
        guard let subject = SubjectIdentity(text) else {
            throw ValidationError(SubjectIdentity.allowed(insteadOf: text))
        }
        return subject
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
