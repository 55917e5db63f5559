import RecordContract

/// Meaning of a gateway's topic to a matcher.
package struct RecordTopic: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A numbered message, whose arrival must be tracked.
        case record
        case health
        /// What a gateway heard in a second. It is not stored, and has a connection of its own.
        case signals
    }

    /// Path of the gateway, `site/building/floor/gateway`.
    package var gateway: String
    package var kind: Kind

    /// Reads a topic; `nil` for topics that a matcher does not read.
    package init?(_ topic: String, prefix: String) {
        let root = "\(prefix)/v\(Contract.version)/"
        guard topic.hasPrefix(root) else { return nil }
        let levels = topic.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false)
        // The levels go into the database: impossible ones must not fill it.
        guard levels.count > 4, Topics.isPlace(levels[..<4].map(String.init)) else { return nil }
        switch (levels[4], levels.last) {
        case ("beacon", "interaction"), ("beacon", "social-distance"), ("module", "event"): kind = .record
        case ("readings", _) where levels.count == 5: kind = .record
        case ("health", _) where levels.count == 5: kind = .health
        case ("signals", _) where levels.count == 5: kind = .signals
        default: return nil
        }
        gateway = levels[..<4].joined(separator: "/")
    }

    /// Reads a topic of one kind; `nil` for other topics.
    package init?(_ topic: String, prefix: String, kind: Kind) {
        self.init(topic, prefix: prefix)
        guard self.kind == kind else { return nil }
    }
}
