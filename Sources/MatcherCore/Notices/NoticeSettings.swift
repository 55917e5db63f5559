/// Settings of notices by webhook and by letter.
package struct NoticeSettings: Equatable, Sendable {
    /// Address of the webhook: `https://...`, or `http://` on this machine.
    package var webhook: String?
    /// Key by which the webhook verifies that requests come from this matcher.
    package var webhookKey: [UInt8]?
    /// Who sends letters and e-mails, as their last line says it.
    package var sender: String?

    package init(webhook: String? = nil, webhookKey: [UInt8]? = nil, sender: String? = nil) {
        self.webhook = webhook
        self.webhookKey = webhookKey
        self.sender = sender
    }
}
