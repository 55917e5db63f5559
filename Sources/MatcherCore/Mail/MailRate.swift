/// Limit of e-mails per minute, so that the mail server does not take this program for a source of spam. Pure.
package struct MailRate: Sendable {
    package static let mostPerMinute = 60

    /// Times of the last e-mails, in seconds since 1970.
    private var times: [Int64] = []

    package init() {}

    /// Takes one e-mail from the budget.
    ///
    /// - Returns: whether it may be sent now.
    package mutating func take(at now: Int64) -> Bool {
        // A clock that was set back does not stop the e-mails.
        times.removeAll { now - $0 >= 60 || $0 > now }
        guard times.count < Self.mostPerMinute else { return false }
        times.append(now)
        return true
    }
}
