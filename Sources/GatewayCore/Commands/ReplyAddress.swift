package import RecordContract

/// The topic for the reply to a command: the response topic given with the command (MQTT 5.0, section 4.10) if that is
/// safe, otherwise `reply/<name>`. The reply goes to one of the two, so that no client gets it twice.
package struct ReplyAddress: Equatable, Sendable {
    package var topic: String
    /// Correlation data to return unchanged.
    package var correlationData: [UInt8]?
    /// Reason why the given response topic is not used.
    package var problem: String?

    static let longestCorrelationData = 1024

    /// - Parameters:
    ///   - prefix: the prefix of all gateways' topics, with the version. Below it only the gateway's own reply topics
    ///     are allowed. Otherwise a command could make one gateway forge another one's messages, or command it.
    package init(to name: String, _ properties: MQTTMessage.Properties, topics: Topics, prefix: String) {
        topic = topics.reply(name)
        if let data = properties.correlationData, data.count <= Self.longestCorrelationData { correlationData = data }
        guard let response = properties.responseTopic else { return }
        problem = Self.problem(response, topics: topics, prefix: prefix)
        if problem == nil { topic = response }
    }

    private static func problem(_ topic: String, topics: Topics, prefix: String) -> String? {
        guard !topic.isEmpty, topic.utf8.count <= Topics.longestTopic else {
            return "it has \(topic.utf8.count) bytes; 1 to \(Topics.longestTopic) are allowed"
        }
        // Bytes that are not UTF-8 were replaced when the message was received.
        guard
            topic.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{FFFD}"
            })
        else { return "it has characters that are not allowed in topics" }
        guard !topic.contains(where: { $0 == "+" || $0 == "#" }) else { return "it has a wildcard" }
        guard !topic.hasPrefix("$") else { return "it is reserved for the broker" }
        guard !topic.split(separator: "/", omittingEmptySubsequences: false).contains("") else {
            return "it has an empty level"
        }
        if topic == prefix || topic.hasPrefix(prefix + "/"), !topic.hasPrefix(topics.root + "/reply/") {
            return "it is below \(prefix), where gateways publish"
        }
        return nil
    }
}
