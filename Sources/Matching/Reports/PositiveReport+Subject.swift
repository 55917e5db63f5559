extension PositiveReport {
    /// A name of the reporter, with the period in which it was theirs, in seconds since 1970.
    package struct Subject: Hashable, Sendable {
        package var identity: SubjectIdentity
        package var since: Int64
        package var until: Int64
        /// Whether a health officer must confirm it before anything follows.
        package var isPending: Bool

        package init(identity: SubjectIdentity, since: Int64, until: Int64, isPending: Bool = false) {
            self.identity = identity
            self.since = since
            self.until = until
            self.isPending = isPending
        }
    }
}
