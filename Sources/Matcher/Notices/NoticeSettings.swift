/// Settings of notices beside MQTT.
struct NoticeSettings: Equatable, Sendable {
    /// Address of the webhook: `https://...`, or `http://` on this machine.
    var webhook: String?
    /// Key by which the webhook verifies that requests come from this matcher.
    var webhookKey: [UInt8]?
}
