/// Where exposures are told of, beside MQTT.
struct NoticeSettings: Equatable, Sendable {
    /// `https://...`, or `http://` on this machine.
    var webhook: String?
    /// By which the receiver knows that it is this matcher.
    var webhookKey: [UInt8]?
}
