package import RecordContract

/// Which retained topics the outputs have made, kept over restarts: those of a beacon that isn't named any more are
/// emptied, also when it was struck out while the gateway wasn't running.
package struct RetainedTopics: Codable, Equatable, Sendable {
    /// Those that have a value.
    package private(set) var published: Set<String>
    /// Those that were emptied. That is repeated at each start: nobody knows whether the broker was there.
    package private(set) var emptied: Set<String>

    /// Emptied topics that are remembered; others are forgotten.
    package static let mostEmptied = 10_000

    package init() {
        published = []
        emptied = []
    }

    /// - Returns: whether something is to be written down.
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

    /// Messages that empty what belongs to nobody any more; a Homie device ends with its `$state`, so that comes first.
    ///
    /// - Parameter isRepeated: also what was emptied before.
    func clearing(isRepeated: Bool, unless isCurrent: (String) -> Bool) -> [MQTTMessage] {
        let obsolete = published.filter { !isCurrent($0) }.union(isRepeated ? emptied : [])
        let order = obsolete.sorted { ($0.hasSuffix("/$state") ? 0 : 1, $0) < ($1.hasSuffix("/$state") ? 0 : 1, $1) }
        return order.map { MQTTMessage(topic: $0, payload: [], isRetained: true) }
    }
}
