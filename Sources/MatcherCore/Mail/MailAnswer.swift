/// Outcome of an attempt to send an e-mail.
package enum MailAnswer: Equatable, Sendable {
    case taken
    /// The server will never take this e-mail, for this reason.
    case refused(String)
    /// The server may take this e-mail later.
    case later(String)
    /// No e-mail can be sent now: the server cannot be reached, or refuses this program.
    case unavailable(String)

    /// Part of the dialogue in which the server refused.
    package enum Stage: Equatable, Sendable {
        /// Greeting, TLS, sign-in or sender.
        case connection
        /// Recipient.
        case envelope
        case content
    }

    /// Codes that concern the client, and therefore all e-mails: the server closes (421), or the client has to sign in
    /// (RFC 5321, section 4.2; RFC 4954, section 6).
    private static let ofClient: Set<Int> = [421, 454, 530, 534, 535, 538]

    /// Judges an answer of the server that is no success.
    ///
    /// - Parameter text: the answer, for officers and the log.
    package init(refusedAt stage: Stage, code: Int, text: String) {
        self =
            switch code {
            case _ where stage == .connection || Self.ofClient.contains(code): .unavailable(text)
            case 500..<600: .refused(text)
            case 400..<500: .later(text)
            default: .unavailable(text)
            }
    }
}
