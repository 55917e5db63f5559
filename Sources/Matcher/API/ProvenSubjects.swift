import Matching
import SystemIO

/// Whom a request proved to be, for the log: noted where a secret is found right.
///
/// The path names the subject of some routes only; of others the body does, and it isn't read twice.
struct ProvenSubjects: Sendable {
    /// Of the request that is being answered.
    @TaskLocal static var current: ProvenSubjects?

    private let subjects = LockedValue<[SubjectIdentity]>([])

    static func note(_ subject: SubjectIdentity) {
        current?.subjects.withLock { if !$0.contains(subject) { $0.append(subject) } }
    }

    /// In the order in which they were noted.
    var all: [SubjectIdentity] { subjects.withLock { $0 } }
}
