/// Reason codes of MQTT, which are numbers because a broker may send any.
package enum MQTTReason {
    package static let unsupportedProtocolVersion: Int32 = 132
    package static let badUserNameOrPassword: Int32 = 134
    package static let notAuthorized: Int32 = 135
    package static let sessionTakenOver: Int32 = 142
    package static let topicNameInvalid: Int32 = 144
    package static let packetTooLarge: Int32 = 149
    package static let quotaExceeded: Int32 = 151
    package static let payloadFormatInvalid: Int32 = 153

    /// The name of a reason code (MQTT 5.0, section 2.4), or of a return code of CONNACK (MQTT 3.1.1, section 3.2.2.3).
    package static func name(_ reason: Int32) -> String { names[reason] ?? "reason \(reason)" }

    private static let names: [Int32: String] = [
        1: "unacceptable protocol version", 2: "client identifier rejected", 3: "server unavailable",
        4: "bad user name or password", 5: "not authorized", 128: "unspecified error", 129: "malformed packet",
        130: "protocol error", 131: "implementation specific error", 132: "unsupported protocol version",
        133: "client identifier not valid", 134: "bad user name or password", 135: "not authorized",
        136: "server unavailable", 137: "server busy", 138: "banned", 139: "server shutting down",
        140: "bad authentication method", 141: "keep alive timeout", 142: "session taken over",
        143: "topic filter invalid", 144: "topic name invalid", 145: "packet identifier in use",
        146: "packet identifier not found", 147: "receive maximum exceeded", 148: "topic alias invalid",
        149: "packet too large", 150: "message rate too high", 151: "quota exceeded", 152: "administrative action",
        153: "payload format invalid", 154: "retain not supported", 155: "QoS not supported", 156: "use another server",
        157: "server moved", 158: "shared subscriptions not supported", 159: "connection rate exceeded",
        160: "maximum connect time", 161: "subscription identifiers not supported",
        162: "wildcard subscriptions not supported",
    ]
}
