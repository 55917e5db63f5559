/// A notice for a subject.
package struct Notice: Equatable, Sendable {
    package var subject: SubjectIdentity
    /// `nil` when there is nothing left to report.
    package var content: NoticeContent?
    /// Time of the last change, in seconds since 1970; 0: the subject was never notified.
    package var changed: Int64
    package var isDelivered: Bool
    package var isSeen: Bool
    /// Place of the notice in the order of delivery: the subject's number, which is smaller the longer the subject has
    /// been known, or the greatest number for a subject that no longer has one.
    package var rank: Int64

    package init(
        subject: SubjectIdentity, content: NoticeContent?, changed: Int64, isDelivered: Bool = false,
        isSeen: Bool = false, rank: Int64 = .max
    ) {
        self.subject = subject
        self.content = content
        self.changed = changed
        self.isDelivered = isDelivered
        self.isSeen = isSeen
        self.rank = rank
    }
}
