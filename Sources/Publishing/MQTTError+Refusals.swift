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
            "look into the broker's log: the broker, or a plugin or schema of it that validates messages, doesn't take this "
                + "\(reason == MQTTReason.topicNameInvalid ? "topic" : "content"); have it taken"
        case MQTTReason.quotaExceeded: "raise what the broker lets this client publish"
        case MQTTReason.packetTooLarge:
            "raise the broker's largest packet (mosquitto: max_packet_size, message_size_limit)"
        case MQTTReason.notAuthorized: remedy(ofDenied: topic)
        default: "look into the broker's log for the reason; if it is the access list: " + remedy(ofDenied: topic)
        }
    }

    /// Returns how to let a gateway publish on a topic. Names the user that the supplied access list requires, if the
    /// topic determines it.
    private static func remedy(ofDenied topic: String) -> String {
        guard let user = userName(of: topic) else {
            return "let this program's user (mqtt.username) write there: deploy/mosquitto/users.py shows how"
        }
        return
            "set mqtt.username to \"\(user)\", which deploy/mosquitto/users.py lets write there, or let another user do so"
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
