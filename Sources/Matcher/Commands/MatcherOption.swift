import ArgumentParser
import BeaconModel
import Matching
import OperatorText

/// Readers of option values; what is wrong with one is said with what is allowed.
enum MatcherOption {
    static func subject(_ text: String) throws -> SubjectIdentity {
        guard let subject = SubjectIdentity(text) else { throw ValidationError("must be \(SubjectIdentity.form)") }
        return subject
    }

    /// Seconds since 1970.
    static func time(_ text: String) throws -> Int64 {
        let time = RFC3339Text.parse(text) ?? RFC3339Text.parse(text + "T00:00:00Z")
        guard let time else { throw ValidationError("must be a day, 2026-11-02, or a time, 2026-11-02T09:30:00Z") }
        return time.microseconds / 1_000_000
    }

    /// Days since 1970.
    static func day(_ text: String) throws -> Int64 {
        guard text.utf8.count == 10 else { throw ValidationError("must be a day: 2026-11-02") }
        return try time(text) / 86_400
    }
}
