package import Matching

extension PositiveReport {
    /// Creates a report of a person's badges and phones, whose contacts count in a span.
    ///
    /// - Parameter received: seconds since 1970.
    package init(
        reference: String, received: Int64, positive: PositiveCase, of subjects: [SubjectIdentity], in span: AskedSpan
    ) {
        self.init(
            reference: reference, received: received, positive: positive,
            // A phone's stays are its own claim: none after its report counts for it.
            subjects: subjects.map { subject in
                let end = subject.kind == SubjectIdentity.phone ? min(span.until, received) : span.until
                return Subject(identity: subject, since: span.since, until: end)
            })
    }
}
