/// A subject, and the period that matters, in seconds since 1970.
package struct SubjectPeriod: Equatable, Sendable {
    package var subject: Int64
    package var since: Int64
    package var until: Int64

    package init(subject: Int64, since: Int64, until: Int64) {
        self.subject = subject
        self.since = since
        self.until = until
    }
}
