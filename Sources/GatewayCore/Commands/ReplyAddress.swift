package import RecordContract

/// Where the reply to a command goes: to the response topic that came with it (MQTT 5.0, section 4.10), if that is safe,
/// else to `reply/<name>`. One of the two, so that nobody gets a reply twice.
package struct ReplyAddress: Equatable, Sendable {
    package var topic: String
    /// Handed back as it came.
    package var correlationData: [UInt8]?
    /// Why a response topic that was given isn't used.
    package var problem: String?

    static let longestCorrelationData = 1024

    /// - Parameters:
    ///   - prefix: of all gateways' topics, with the version: below it only the gateway's own replies may be answered to,
    ///     or else a command could have one gateway forge what another one says, or command it.
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
        // What isn't UTF-8 was replaced when the message was received.
        guard
            topic.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{FFFD}"
            })
        else { return "it has characters that no topic should have" }
        guard !topic.contains(where: { $0 == "+" || $0 == "#" }) else { return "it has a wildcard" }
        guard !topic.hasPrefix("$") else { return "it is the broker's" }
        guard !topic.split(separator: "/", omittingEmptySubsequences: false).contains("") else {
            return "it has an empty level"
        }
        if topic == prefix || topic.hasPrefix(prefix + "/"), !topic.hasPrefix(topics.root + "/reply/") {
            return "it is below \(prefix), where gateways publish"
        }
        return nil
    }
}
