/// The roles that publish and read a topic of this system, which the access lists in `deploy/` must allow.
///
/// All topic forms are listed, including those of the contract, so that a new one requires a decision. Tests try each
/// form with each role at each broker, using the files of `deploy/`.
package struct TopicAccess: Equatable, Sendable {
    /// A role that a broker recognizes by its users.
    package enum Role: String, CaseIterable, Sendable {
        /// A gateway, on its own topics.
        case gateway
        /// A program that stores what gateways publish: a matcher.
        case consumer
        /// A program or person that gives commands.
        case `operator`
        /// A program or person that only reads.
        case analyst
        /// A subject, on its own topic.
        case subject

        /// Whether the role has its own topics, to which its permissions are limited.
        package var hasOwnTopics: Bool { self == .gateway || self == .subject }
    }

    /// The name in the contract, if the topic is a channel of the contract.
    package let name: String
    /// The topic below `<prefix>/v1/`, with parameters in braces.
    package let address: String
    package let writers: Set<Role>
    package let readers: Set<Role>
    /// Additional readers at brokers that check subscriptions but not deliveries: RabbitMQ and NATS.
    package let readersByWildcard: Set<Role>

    private init(
        _ name: String, _ address: String, writers: Set<Role>, readers: Set<Role>, byWildcard: Set<Role> = []
    ) {
        self.name = name
        self.address = address
        self.writers = writers
        self.readers = readers
        readersByWildcard = byWildcard
    }

    /// Topic levels of a gateway's root.
    package static let root = "{site}/{building}/{floor}/{gateway}/"
    private static let beacon = root + "beacon/{uuid}/{major}/{minor}/"
    private static let occupancy = "{site}/{building}/{floor}/occupancy"

    /// All topic forms in the order of the contract, followed by those that a matcher publishes.
    package static let all: [TopicAccess] = [
        TopicAccess("interaction", beacon + "interaction", writers: [.gateway], readers: [.consumer, .analyst]),
        // Readings show where every subject is, minute by minute.
        TopicAccess(
            "readings", root + "readings", writers: [.gateway], readers: [.consumer], byWildcard: [.analyst]),
        // Signals show the same, second by second.
        TopicAccess(
            "signals", root + "signals", writers: [.gateway], readers: [.consumer], byWildcard: [.analyst]),
        TopicAccess(
            "social-distance", beacon + "social-distance", writers: [.gateway], readers: [.consumer, .analyst]),
        TopicAccess("presence", beacon + "presence", writers: [.gateway], readers: [.consumer, .analyst]),
        TopicAccess(
            "module-event", root + "module/{module}/event", writers: [.gateway],
            readers: [.consumer, .operator, .analyst]),
        TopicAccess(
            "module-state", root + "module/{module}/state", writers: [.gateway],
            readers: [.consumer, .operator, .analyst]),
        TopicAccess(
            "status", root + "status", writers: [.gateway], readers: [.consumer, .operator, .analyst]),
        TopicAccess("info", root + "info", writers: [.gateway], readers: [.consumer, .operator, .analyst]),
        TopicAccess(
            "health", root + "health", writers: [.gateway], readers: [.consumer, .operator, .analyst]),
        TopicAccess(
            "configuration", root + "configuration", writers: [.gateway], readers: [.consumer, .operator, .analyst]),
        TopicAccess("stored", root + "stored", writers: [.consumer], readers: [.gateway, .consumer, .analyst]),
        TopicAccess(
            "command", root + "command/{command}", writers: [.operator], readers: [.gateway, .consumer, .analyst]),
        TopicAccess(
            "reply", root + "reply/{name}", writers: [.gateway], readers: [.consumer, .operator, .analyst]),
        TopicAccess("exposure", "subject/{key}/exposure", writers: [.consumer], readers: [.consumer, .subject]),
        TopicAccess("occupancy", occupancy, writers: [.consumer], readers: [.consumer, .analyst]),
        TopicAccess(
            "occupancy-room", occupancy + "/{room}", writers: [.consumer], readers: [.consumer, .analyst]),
        // Where a person is: for those alone to whom a rule of the site's own gives it.
        TopicAccess(
            "location", "{site}/{building}/{floor}/subject/{key}/location", writers: [.consumer], readers: [.consumer],
            byWildcard: [.analyst]),
    ]

    package static func named(_ name: String) -> TopicAccess? { all.first { $0.name == name } }

    /// Whether a role may publish on a topic of this form.
    ///
    /// - Parameter isOwn: whether the topic belongs to this gateway or this subject.
    package func mayPublish(_ role: Role, isOwn: Bool) -> Bool {
        writers.contains(role) && (isOwn || !role.hasOwnTopics)
    }

    /// Whether a role may read a topic of this form.
    ///
    /// - Parameters:
    ///   - isOwn: whether the topic belongs to this gateway or this subject.
    ///   - checksDelivery: whether the broker checks deliveries, as mosquitto does.
    package func mayRead(_ role: Role, isOwn: Bool, checksDelivery: Bool) -> Bool {
        let all = checksDelivery ? readers : readers.union(readersByWildcard)
        return all.contains(role) && (isOwn || !role.hasOwnTopics)
    }

    /// Returns the form of a topic.
    ///
    /// - Parameter prefix: the first level of the topic.
    package static func of(_ topic: String, prefix: String) -> TopicAccess? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        return all.first { access in
            let form = access.topic(prefix: prefix, [:]).split(separator: "/", omittingEmptySubsequences: false)
            return form.count == levels.count
                && zip(form, levels).allSatisfy { isParameter($0) ? !$1.isEmpty : $0 == $1 }
        }
    }

    /// Returns a topic of this form; parameters without a value remain.
    package func topic(prefix: String, _ values: [String: String]) -> String {
        let levels = address.split(separator: "/").map { level -> String in
            guard Self.isParameter(level) else { return String(level) }
            return values[String(level.dropFirst().dropLast())] ?? String(level)
        }
        return (["\(prefix)/v\(Contract.version)"] + levels).joined(separator: "/")
    }

    private static func isParameter(_ level: Substring) -> Bool { level.hasPrefix("{") && level.hasSuffix("}") }

    /// The table in docs/guide/access.md, with one row per topic form.
    package static var table: String {
        let roles = Role.allCases
        let head = ["topic below `<prefix>/v\(Contract.version)/`"] + roles.map(\.rawValue)
        let rows = all.map { access in
            ["`\(access.address.replacing(root, with: ".../"))`"] + roles.map { access.words(for: $0) }
        }
        return ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }

    /// Returns a short description of a role's permissions.
    private func words(for role: Role) -> String {
        var words: [String] = []
        if writers.contains(role) { words.append("publishes") }
        if readers.contains(role) { words.append("reads") }
        if readersByWildcard.contains(role) { words.append("reads, but not on mosquitto") }
        return words.joined(separator: ", ")
    }
}
