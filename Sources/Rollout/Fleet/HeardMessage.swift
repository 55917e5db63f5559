package import RecordContract

/// A message of a gateway that says how it is. Anybody who can publish there can have written it.
package enum HeardMessage: Equatable, Sendable {
    case status(HeardStatus)
    case info(HeardInfo)
    case health(HeardHealth)
    case configuration(RolloutState)
    case reply(command: String, HeardReply)
    /// The retained message of this name was deleted.
    case forgotten(Topic)

    package enum Topic: String, CaseIterable, Sendable {
        case status, info, health, configuration
    }

    /// Maximum length of a message in bytes.
    private static let longest = 262_144

    /// Returns topic filters for these messages.
    ///
    /// - Parameter sites: the sites; `nil` for all, which not every broker allows.
    package static func filters(prefix: String, sites: [String]?, _ topics: [Topic], replies: Bool) -> [String] {
        (sites ?? ["+"]).flatMap { site in
            topics.map { "\(prefix)/v1/\(site)/+/+/+/\($0.rawValue)" }
                + (replies ? ["\(prefix)/v1/\(site)/+/+/+/reply/+"] : [])
        }
    }

    /// Reads a message.
    ///
    /// - Returns: the gateway and the message; `nil` for any other message.
    package static func read(
        _ message: MQTTMessage, prefix: String
    ) -> (gateway: GatewayPath, message: HeardMessage)? {
        let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.count >= 7, levels[0] == prefix, levels[1] == "v1", let gateway = GatewayPath(Array(levels[2..<6]))
        else { return nil }
        if levels.count == 8, levels[6] == "reply" {
            return decode(HeardReply.self, message).map { (gateway, .reply(command: levels[7], $0)) }
        }
        guard levels.count == 7, let topic = Topic(rawValue: levels[6]) else { return nil }
        if message.payload.isEmpty { return (gateway, .forgotten(topic)) }
        let read: HeardMessage? =
            switch topic {
            case .status: decode(HeardStatus.self, message).map { .status($0) }
            case .info: decode(HeardInfo.self, message).map { .info($0) }
            case .health: decode(HeardHealth.self, message).map { .health($0) }
            case .configuration: RolloutState(message.payload).map { .configuration($0) }
            }
        return read.map { (gateway, $0) }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ message: MQTTMessage) -> Value? {
        guard message.payload.count <= longest else { return nil }
        return try? JSON.decode(type, from: message.payload)
    }
}

/// `status`: whether the gateway is connected.
package struct HeardStatus: Codable, Equatable, Sendable {
    package var state: String
    package var time: String?
    package var radio: String?

    package init(state: String, time: String? = nil, radio: String? = nil) {
        self.state = state
        self.time = time
        self.radio = radio
    }

    package var isOnline: Bool { state == "online" }
}

/// `info`: what the gateway is.
package struct HeardInfo: Codable, Equatable, Sendable {
    package var version: String
    package var startedAt: String?
    package var modules: [Module]?

    package struct Module: Codable, Equatable, Sendable {
        package var state: String

        package init(state: String) { self.state = state }
    }

    package init(version: String, startedAt: String? = nil, modules: [Module]? = nil) {
        self.version = version
        self.startedAt = startedAt
        self.modules = modules
    }
}

/// `health`: what waits in the outbox.
package struct HeardHealth: Codable, Equatable, Sendable {
    package var outbox: Outbox
    package var residentBytes: UInt64?

    package struct Outbox: Codable, Equatable, Sendable {
        package var records: Int

        package init(records: Int) { self.records = records }
    }

    package init(outbox: Outbox, residentBytes: UInt64? = nil) {
        self.outbox = outbox
        self.residentBytes = residentBytes
    }
}

/// The reply to a command.
package struct HeardReply: Codable, Equatable, Sendable {
    package var correlation: String
    package var ok: Bool
    package var text: String

    package init(correlation: String, ok: Bool, text: String) {
        self.correlation = correlation
        self.ok = ok
        self.text = text
    }
}
