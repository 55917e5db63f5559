/// Reason codes of MQTT. They are plain numbers because a broker may send any value.
package enum MQTTReason {
    package static let unsupportedProtocolVersion: Int32 = 132
    package static let badUserNameOrPassword: Int32 = 134
    package static let notAuthorized: Int32 = 135
    package static let sessionTakenOver: Int32 = 142
    package static let topicNameInvalid: Int32 = 144
    package static let packetTooLarge: Int32 = 149
    package static let quotaExceeded: Int32 = 151
    package static let payloadFormatInvalid: Int32 = 153

    /// Returns the name of a reason code (MQTT 5.0, section 2.4), or of a CONNACK return code (MQTT 3.1.1, section
    /// 3.2.2.3).
    package static func name(_ reason: Int32) -> String { names[reason] ?? "reason \(reason)" }

    private static let names: [Int32: String] = [
        1: "Connection Refused: unacceptable protocol version.",
        2: "Connection Refused: identifier rejected.",
        3: "Connection Refused: broker unavailable.",
        4: "Connection Refused: bad user name or password.",
        5: "Connection Refused: not authorised.",
        128: "Unspecified error",
        129: "Malformed Packet",
        130: "Protocol Error",
        131: "Implementation specific error",
        132: "Unsupported Protocol Version",
        133: "Client Identifier not valid",
        134: "Bad User Name or Password",
        135: "Not authorized",
        136: "Server unavailable",
        137: "Server busy",
        138: "Banned",
        139: "Server shutting down",
        140: "Bad authentication method",
        141: "Keep Alive timeout",
        142: "Session taken over",
        143: "Topic Filter invalid",
        144: "Topic Name invalid",
        145: "Packet Identifier in use",
        146: "Packet Identifier not found",
        147: "Receive Maximum exceeded",
        148: "Topic Alias invalid",
        149: "Packet too large",
        150: "Message rate too high",
        151: "Quota exceeded",
        152: "Administrative action",
        153: "Payload format invalid",
        154: "Retain not supported",
        155: "QoS not supported",
        156: "Use another server",
        157: "Server moved",
        158: "Shared Subscriptions not supported",
        159: "Connection rate exceeded",
        160: "Maximum connect time",
        161: "Subscription identifiers not supported",
        162: "Wildcard Subscriptions not supported",
    ]
}
