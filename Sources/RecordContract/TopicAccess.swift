/// Who publishes and who reads on a topic of this system: what the access lists in `deploy/` have to let whom do.
///
/// All forms of topics are here, also those of the contract, so that a new one needs a decision. Tests try each of them, by each
/// role, at each broker with the files of `deploy/`.
package struct TopicAccess: Equatable, Sendable {
    /// Whom a broker knows by users.
    package enum Role: String, CaseIterable, Sendable {
        /// On its own topics.
        case gateway
        /// Whoever stores what gateways publish: a matcher.
        case consumer
        /// Whoever gives commands.
        case `operator`
        /// Whoever only looks.
        case analyst
        /// On its own topic.
        case subject

        /// Whether there are topics of its own, and what it may do it may do on those alone.
        package var hasOwnTopics: Bool { self == .gateway || self == .subject }
    }

    /// As the contract calls it, if it is a channel of that.
    package let name: String
    /// Below `<prefix>/v1/`, with parameters in braces.
    package let address: String
    package let writers: Set<Role>
    package let readers: Set<Role>
    /// Who reads it too where a broker checks what is subscribed to, and not what is delivered: RabbitMQ and NATS.
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

    /// Levels of a gateway's root.
    package static let root = "{site}/{building}/{floor}/{gateway}/"
    private static let beacon = root + "beacon/{uuid}/{major}/{minor}/"
    private static let occupancy = "{site}/{building}/{floor}/occupancy"

    /// In the order of the contract, and what a matcher publishes of its own behind that.
    package static let all: [TopicAccess] = [
        TopicAccess("interaction", beacon + "interaction", writers: [.gateway], readers: [.consumer, .analyst]),
        // Where everybody is, minute by minute.
        TopicAccess(
            "readings", root + "readings", writers: [.gateway], readers: [.consumer], byWildcard: [.analyst]),
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
        TopicAccess("stored", root + "stored", writers: [.consumer], readers: [.gateway, .consumer, .analyst]),
        TopicAccess(
            "command", root + "command/{command}", writers: [.operator], readers: [.gateway, .consumer, .analyst]),
        TopicAccess(
            "reply", root + "reply/{name}", writers: [.gateway], readers: [.consumer, .operator, .analyst]),
        TopicAccess("exposure", "subject/{key}/exposure", writers: [.consumer], readers: [.consumer, .subject]),
        TopicAccess("occupancy", occupancy, writers: [.consumer], readers: [.consumer, .analyst]),
        TopicAccess(
            "occupancy-room", occupancy + "/{room}", writers: [.consumer], readers: [.consumer, .analyst]),
    ]

    package static func named(_ name: String) -> TopicAccess? { all.first { $0.name == name } }

    /// Whether a role may publish on a topic of this form.
    ///
    /// - Parameter isOwn: whether it is the topic of this gateway, or of this subject.
    package func mayPublish(_ role: Role, isOwn: Bool) -> Bool {
        writers.contains(role) && (isOwn || !role.hasOwnTopics)
    }

    /// Whether a role may read a topic of this form.
    ///
    /// - Parameters:
    ///   - isOwn: whether it is the topic of this gateway, or of this subject.
    ///   - checksDelivery: whether the broker checks what it delivers: mosquitto does.
    package func mayRead(_ role: Role, isOwn: Bool, checksDelivery: Bool) -> Bool {
        let all = checksDelivery ? readers : readers.union(readersByWildcard)
        return all.contains(role) && (isOwn || !role.hasOwnTopics)
    }

    /// The form that a topic has.
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

    /// A topic of this form; parameters without a value stay as they are.
    package func topic(prefix: String, _ values: [String: String]) -> String {
        let levels = address.split(separator: "/").map { level -> String in
            guard Self.isParameter(level) else { return String(level) }
            return values[String(level.dropFirst().dropLast())] ?? String(level)
        }
        return (["\(prefix)/v\(Contract.version)"] + levels).joined(separator: "/")
    }

    private static func isParameter(_ level: Substring) -> Bool { level.hasPrefix("{") && level.hasSuffix("}") }

    /// All of them as the table of docs/guide/access.md, a line each.
    package static var table: String {
        let roles = Role.allCases
        let head = ["topic below `<prefix>/v\(Contract.version)/`"] + roles.map(\.rawValue)
        let rows = all.map { access in
            ["`\(access.address.replacing(root, with: ".../"))`"] + roles.map { access.words(for: $0) }
        }
        return ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }

    /// What a role may do, in a word or two.
    private func words(for role: Role) -> String {
        var words: [String] = []
        if writers.contains(role) { words.append("publishes") }
        if readers.contains(role) { words.append("reads") }
        if readersByWildcard.contains(role) { words.append("reads, but not on mosquitto") }
        return words.joined(separator: ", ")
    }
}
