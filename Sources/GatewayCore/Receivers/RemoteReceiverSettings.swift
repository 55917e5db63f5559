import OperatorText
import Proximity
import RecordContract

/// The tables `remote-receivers`: nodes elsewhere that publish by MQTT what they hear.
enum RemoteReceiverSettings {
    private static let longestNode = 64
    private static let nodeForm =
        "the node's own name in its topics: 1 to 64 bytes without / + # and control characters"
    private static let filterForm = "an MQTT topic filter of at most \(Topics.longestTopic) bytes"

    /// - Parameters:
    ///   - own: filters of the topics that this gateway publishes on, each with the table that defines it.
    ///   - modules: names of the listening modules.
    static func read(
        _ root: TOMLReader, rules: InteractionRules, own: [(filter: String, table: String)], modules: Set<String> = []
    ) -> [RemoteReceiverConfiguration] {
        let readers = root.tables("remote-receivers")
        if readers.count > RemoteReceiverConfiguration.most {
            root.report(
                "remote-receivers", found: "has \(readers.count) remote receivers",
                allowed: "must have at most \(RemoteReceiverConfiguration.most)")
        }
        var names: Set<String> = []
        var others: [RemoteReceiverConfiguration] = []
        return readers.prefix(RemoteReceiverConfiguration.most).compactMap { reader in
            defer { reader.finish() }
            guard let receiver = read(reader, rules) else { return nil }
            if !names.insert(receiver.name).inserted {
                reader.report("name", found: "\(receiver.name) is used twice", allowed: "must be unique")
            }
            if modules.contains(receiver.name) {
                reader.report(
                    "name", found: "\(receiver.name) is also the name of a module that listens",
                    allowed: "must be unique")
            }
            check(receiver, reader, own: own, others)
            others.append(receiver)
            return receiver
        }
    }

    private static func read(_ reader: TOMLReader, _ rules: InteractionRules) -> RemoteReceiverConfiguration? {
        let kinds = RemoteReceiverKind.nodes.map(\.rawValue).joined(separator: ", ")
        if !reader.has("name") { reader.missing("name", allowed: ModuleReader.nameForm) }
        if !reader.has("kind") { reader.missing("kind", allowed: "one of \(kinds)") }
        let name = reader.parsed(
            "name", allowed: ModuleReader.nameForm + ", and at most \(RemoteReceiverConfiguration.longestName) of them"
        ) {
            Topics.isLevel($0) && $0.utf8.count <= RemoteReceiverConfiguration.longestName ? $0 : nil
        }
        let kind = reader.parsed("kind", allowed: "one of \(kinds)") { text in
            RemoteReceiverKind.nodes.first { $0.rawValue == text }
        }
        let node = reader.parsed("node", allowed: nodeForm) { isNode($0) ? $0 : nil }
        var receiver = RemoteReceiverConfiguration(name: name ?? "", kind: kind ?? .espresense, node: node)
        func topic(_ key: String) -> String? { reader.parsed(key, allowed: filterForm) { isFilter($0) ? $0 : nil } }
        receiver.devicesTopic = topic("topic") ?? receiver.devicesTopic
        receiver.statusTopic = topic("status-topic") ?? receiver.statusTopic
        receiver.telemetryTopic = topic("telemetry-topic") ?? receiver.telemetryTopic
        receiver.room = reader.string("room")
        receiver.position = reader.position()
        var general = receiver.kind.silence
        general.falseEndProbability = rules.silence.falseEndProbability
        receiver.silence = PresenceSettings.readSilence(reader, general)
        receiver.deafAfter =
            reader.duration("deaf-after", in: .seconds(30)...(.seconds(86_400))) ?? receiver.deafAfter
        guard name != nil, kind != nil else { return nil }
        return receiver
    }

    /// Reports overlapping filters: a message that matches two filters would count twice.
    private static func check(
        _ receiver: RemoteReceiverConfiguration, _ reader: TOMLReader, own: [(filter: String, table: String)],
        _ others: [RemoteReceiverConfiguration]
    ) {
        for (key, filter) in receiver.filters {
            for own in own where TopicFilter.overlap(filter, own.filter) {
                reader.report(
                    key, found: "\(filter) has topics on which this gateway publishes itself (\(own.table))",
                    allowed: "must be the node's own topics, otherwise the gateway would receive itself")
            }
            for other in others {
                guard let shared = other.filters.first(where: { TopicFilter.overlap(filter, $0.filter) }) else {
                    continue
                }
                reader.report(
                    key, found: "\(filter) and \(shared.filter) of \(other.name) overlap",
                    allowed:
                        "each remote receiver requires its own topics, otherwise what one receives would count for both"
                )
            }
        }
        for (key, filter) in receiver.filters.dropFirst() where TopicFilter.overlap(filter, receiver.devicesTopic) {
            reader.report(
                key, found: "\(filter) and \(receiver.devicesTopic) overlap",
                allowed: "must not overlap the topics of the devices that it receives")
        }
    }

    private static func isNode(_ text: String) -> Bool {
        (1...longestNode).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(isPrintable)
            && !text.contains { "/+#".contains($0) }
    }

    /// Whether the text is a topic filter: levels with wildcards that stand alone, and `#` only at the end (MQTT 5.0,
    /// section 4.7.1). The broker's own topics (`$`) are refused, and so are shared subscriptions, whose messages
    /// arrive under other names.
    static func isFilter(_ text: String) -> Bool {
        guard (1...Topics.longestTopic).contains(text.utf8.count), text.unicodeScalars.allSatisfy(isPrintable),
            !text.hasPrefix("$")
        else { return false }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        return levels.indices.allSatisfy { index in
            let level = levels[index]
            if level == "#" { return index == levels.count - 1 }
            return level == "+" || !level.contains { "+#".contains($0) }
        }
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
    }
}
