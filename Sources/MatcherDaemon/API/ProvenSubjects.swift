import Matching
import SystemIO

/// Subjects that a request has authenticated, for the log: noted where a secret is found right.
///
/// The path names the subject only for some routes. For others the body does, and it is not read twice.
struct ProvenSubjects: Sendable {
    private let subjects = LockedValue<[SubjectIdentity]>([])

    func note(_ subject: SubjectIdentity) {
        subjects.withLock { if !$0.contains(subject) { $0.append(subject) } }
    }

    /// All subjects in the order in which they were noted.
    var all: [SubjectIdentity] { subjects.withLock { $0 } }
}
