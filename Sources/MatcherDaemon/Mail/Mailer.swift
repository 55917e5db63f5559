import Crypto
import HTTPClient
import MatcherCore
import OperatorText

/// Sends letters by e-mail.
struct Mailer: Sendable {
    var settings: MailSettings
    var client: MailClient
    /// Secret of the store for the identifiers of messages.
    var key: [UInt8]
    /// Time limit for one e-mail.
    var patience: Duration = .seconds(60)

    /// Sends a letter.
    ///
    /// - Parameters:
    ///   - identifier: what identifies the e-mail in the store; the message has a hash of it, so that a message that is
    ///     sent again after a crash can be recognized.
    ///   - now: seconds since 1970.
    func send(_ letter: NoticeLetter, to recipient: Mailbox, identifier: String, now: Int64) async -> MailAnswer {
        let hash = HMAC<SHA256>.authenticationCode(
            for: Array("mail \(identifier)".utf8), using: SymmetricKey(data: key))
        let message = MailMessage(
            from: settings.from, to: recipient, subject: letter.subject, text: letter.text,
            identifier: String(HexadecimalText.of(hash).prefix(32)), date: now)
        let login = settings.login.map { (user: $0.user, password: $0.password) }
        let delivery = MailClient.Delivery(
            url: settings.server.url, needsTLS: settings.server.security != .none, login: login,
            sender: settings.from.address.description, recipient: recipient.address.description,
            message: message.bytes, timeout: patience)
        do throws(MailClient.Failure) {
            try await client.send(delivery)
            return .taken
        } catch {
            switch error {
            case .refused(let stage, let code, let text):
                return MailAnswer(refusedAt: Self.stage(stage), code: code, text: text.shown(upTo: 200))
            case .invalidDelivery: return .refused("\(error)")
            default: return .unavailable("\(error)".shown(upTo: 200))
            }
        }
    }

    private static func stage(_ stage: MailClient.Stage) -> MailAnswer.Stage {
        switch stage {
        case .connection: .connection
        case .envelope: .envelope
        case .content: .content
        }
    }
}
