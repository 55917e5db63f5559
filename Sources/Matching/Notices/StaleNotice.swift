/// A subject whose exposures changed since its notice was made.
package struct StaleNotice: Hashable, Sendable {
    package var subject: SubjectIdentity
    /// Number of changes so far; the writer of the new notice states by it which changes the notice covers.
    package var changes: Int64

    package init(subject: SubjectIdentity, changes: Int64) {
        self.subject = subject
        self.changes = changes
    }
}
