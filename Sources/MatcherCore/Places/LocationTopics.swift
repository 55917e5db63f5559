package import Matching
import RecordContract

/// Topics with the places of subjects: which are published when, and which are emptied. Pure.
package struct LocationTopics: Sendable {
    /// What is to be published on a topic.
    package enum Step: Equatable, Sendable {
        case publish(topic: String, LivePosition)
        case empty(topic: String)
    }

    private struct Topic {
        var name: String
        var floor: String
        var place: LivePosition.Place
        var at: Double
    }

    private let prefix: String
    private var topics: [SubjectIdentity: Topic] = [:]

    /// Interval in seconds at which a place is published that has not changed.
    package static let interval = 30.0
    /// Time in seconds after which a broker with MQTT 5 drops a place that is not published any more.
    package static let expiry = 120

    package init(prefix: String) { self.prefix = prefix }

    /// Number of topics that hold a place.
    package var count: Int { topics.count }

    /// Returns the topic of a subject on a floor.
    ///
    /// - Parameter floor: `site/building/floor`; `+/+/+` for a filter.
    package static func topic(prefix: String, floor: String, key: String) -> String {
        "\(prefix)/v\(Contract.version)/\(floor)/subject/\(key)/location"
    }

    /// Returns what follows from present positions: new and changed places, and those that are due again.
    ///
    /// - Parameters:
    ///   - positions: positions of all subjects.
    ///   - keys: keys of the subjects on topics; a subject without a key is not published.
    ///   - now: time of the positions in seconds.
    package mutating func replace(
        with positions: [LivePosition], keys: [SubjectIdentity: String], now: Double
    ) -> [Step] {
        var steps: [Step] = []
        var present: [SubjectIdentity: Topic] = [:]
        for position in positions {
            guard let key = keys[position.subject] else { continue }
            let name = Self.topic(prefix: prefix, floor: position.floor, key: key)
            let old = topics[position.subject]
            if let old, old.name == name, old.place == position.place, now - old.at < Self.interval {
                present[position.subject] = old
                continue
            }
            present[position.subject] = Topic(
                name: name, floor: position.floor, place: position.place, at: now)
            steps.append(.publish(topic: name, position))
        }
        let held = Set(present.values.map(\.name))
        let gone = topics.values.map(\.name).filter { !held.contains($0) }.sorted()
        topics = present
        return gone.map { .empty(topic: $0) } + steps
    }

    /// Empties the topics of subjects that are no longer on their floor. It needs no keys, for when these are not known.
    ///
    /// - Parameter positions: positions of all subjects.
    package mutating func withdraw(allBut positions: [LivePosition]) -> [Step] {
        let floors = Dictionary(positions.map { ($0.subject, $0.floor) }) { first, _ in first }
        let gone = topics.filter { floors[$0.key] != $0.value.floor }
        for subject in gone.keys { topics[subject] = nil }
        return gone.values.map(\.name).sorted().map { .empty(topic: $0) }
    }
}
