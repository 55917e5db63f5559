package import RecordContract

/// Retained topics that the outputs have published, persisted over restarts. The topics of a beacon that is no longer
/// named are emptied, even if it was removed while the gateway was not running.
package struct RetainedTopics: Codable, Equatable, Sendable {
    /// Topics that have a value.
    package private(set) var published: Set<String>
    /// Topics that were emptied. Each start empties them again, because the broker may have been unreachable.
    package private(set) var emptied: Set<String>

    /// Maximum number of remembered emptied topics; further ones are forgotten.
    package static let mostEmptied = 10_000

    package init() {
        published = []
        emptied = []
    }

    /// Records published messages.
    ///
    /// - Returns: whether there is a change to save.
    package mutating func note(_ messages: [MQTTMessage]) -> Bool {
        var hasChanged = false
        for message in messages where message.isRetained {
            if message.payload.isEmpty {
                guard published.remove(message.topic) != nil else { continue }
                if emptied.count < Self.mostEmptied { emptied.insert(message.topic) }
                hasChanged = true
            } else if published.insert(message.topic).inserted {
                emptied.remove(message.topic)
                hasChanged = true
            }
        }
        return hasChanged
    }

    /// Returns messages that empty obsolete topics. A Homie device ends with its `$state`, so that comes first.
    ///
    /// - Parameter isRepeated: whether to include topics that were emptied before.
    func clearing(isRepeated: Bool, unless isCurrent: (String) -> Bool) -> [MQTTMessage] {
        let obsolete = published.filter { !isCurrent($0) }.union(isRepeated ? emptied : [])
        let order = obsolete.sorted { ($0.hasSuffix("/$state") ? 0 : 1, $0) < ($1.hasSuffix("/$state") ? 0 : 1, $1) }
        return order.map { MQTTMessage(topic: $0, payload: [], isRetained: true) }
    }
}
