import Matching
import SystemIO

/// Subjects that a request has authenticated, for the log: noted where a secret is found right.
///
/// The path names the subject only for some routes. For others the body does, and it is not read twice.
struct ProvenSubjects: Sendable {
    /// Subjects of the request that is being answered.
    @TaskLocal static var current: ProvenSubjects?

    private let subjects = LockedValue<[SubjectIdentity]>([])

    static func note(_ subject: SubjectIdentity) {
        current?.subjects.withLock { if !$0.contains(subject) { $0.append(subject) } }
    }

    /// All subjects in the order in which they were noted.
    var all: [SubjectIdentity] { subjects.withLock { $0 } }
}
