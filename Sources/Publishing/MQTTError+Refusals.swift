import RecordContract

/// Remedies for a broker that rejects what is published.
extension MQTTError {
    /// Returns the remedy for a rejected message.
    ///
    /// - Parameter reason: the reason in the PUBACK (MQTT 5.0, section 3.4.2.1), or 0x95 if the broker's limit is
    ///   already known.
    package static func remedy(ofRefusal reason: Int32, topic: String) -> String {
        switch reason {
        case MQTTReason.topicNameInvalid, MQTTReason.payloadFormatInvalid:
            "check the broker's log: the broker, or one of its plugins or schemas that validate messages, rejects "
                + "this \(reason == MQTTReason.topicNameInvalid ? "topic" : "content"); change that"
        case MQTTReason.quotaExceeded: "raise the broker's quota for this client"
        case MQTTReason.packetTooLarge:
            "raise the broker's largest packet (mosquitto: max_packet_size, message_size_limit)"
        case MQTTReason.notAuthorized: remedy(ofDenied: topic)
        default: "check the broker's log for the reason; if it is the access list: " + remedy(ofDenied: topic)
        }
    }

    /// Returns how to let a gateway publish on a topic. Names the user that the supplied access list requires, if the
    /// topic determines it.
    private static func remedy(ofDenied topic: String) -> String {
        guard let user = userName(of: topic) else {
            return "allow this program's user (mqtt.username) to write there: deploy/mosquitto/users.py shows how"
        }
        return
            "set mqtt.username to \"\(user)\", which deploy/mosquitto/users.py allows to write there, or allow "
            + "another user to do so"
    }

    /// Returns the place of the gateway to whose root the topic belongs.
    private static func userName(of topic: String) -> String? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        // Topics of subjects and floors do not belong to a gateway.
        guard levels.count > 6, levels[1] == "v\(Contract.version)", levels[2] != "subject", levels[5] != "occupancy"
        else { return nil }
        return levels[2..<6].joined(separator: "/")
    }
}
