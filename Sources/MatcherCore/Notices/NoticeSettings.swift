/// Settings of notices beside MQTT.
package struct NoticeSettings: Equatable, Sendable {
    /// Address of the webhook: `https://...`, or `http://` on this machine.
    package var webhook: String?
    /// Key by which the webhook verifies that requests come from this matcher.
    package var webhookKey: [UInt8]?

    package init(webhook: String? = nil, webhookKey: [UInt8]? = nil) {
        self.webhook = webhook
        self.webhookKey = webhookKey
    }
}
