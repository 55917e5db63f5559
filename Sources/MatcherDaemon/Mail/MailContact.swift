import MatcherCore

/// E-mail addresses among the contacts of the register. Pure.
enum MailContact {
    /// Returns the first address that e-mails can be sent to; `nil` if there is none.
    static func address(in contacts: [String]) -> MailAddress? { contacts.lazy.compactMap { MailAddress($0) }.first }
}
