import RecordContract

/// What a topic of a gateway is to a matcher.
struct RecordTopic: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// It is numbered, so it has to be known that it came.
        case record
        case health
    }

    /// `site/building/floor/gateway`.
    var gateway: String
    var kind: Kind

    /// `nil` for all others.
    init?(_ topic: String, prefix: String) {
        let root = "\(prefix)/v\(Contract.version)/"
        guard topic.hasPrefix(root) else { return nil }
        let levels = topic.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false)
        // They go into the database: nobody fills it with what no gateway can be.
        guard levels.count > 4, Topics.isPlace(levels[..<4].map(String.init)) else { return nil }
        switch (levels[4], levels.last) {
        case ("beacon", "interaction"), ("beacon", "social-distance"), ("module", "event"): kind = .record
        case ("readings", _) where levels.count == 5: kind = .record
        case ("health", _) where levels.count == 5: kind = .health
        default: return nil
        }
        gateway = levels[..<4].joined(separator: "/")
    }
}
