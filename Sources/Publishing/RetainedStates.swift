package import RecordContract

/// What is to be retained by the broker, topic by topic, and which of it the broker hasn't been given yet. Pure.
package struct RetainedStates: Sendable {
    /// Bounded by those who set them. An empty one is forgotten once the broker has it.
    private var states: [String: State] = [:]
    /// In the order in which they were set: some mean something only after others.
    private var waiting = TopicQueue()
    /// Those of `waiting` that are tried alone, after the others.
    private var doubtful = TopicQueue()
    private var lastTurn: UInt64 = 0
    /// First levels of topics where the broker refused one, and until when nothing is published there: there are a few.
    private var avoided: [String: ContinuousClock.Instant] = [:]
    /// Topics that the broker refused.
    private var refused: [String: Refusal] = [:]
    /// Topics that were given and aren't answered yet, and how often each was.
    private var underWay: [String: Int] = [:]
    /// Topics that were under way when the other side closed a connection, and how often each was the only one.
    private var suspected: [String: Int] = [:]
    /// Topics but for their last level, below which one alone was under way when a connection ended, and those that are held to be
    /// refused.
    private var families: [String: Family] = [:]

    package init() {
    }

    /// For so long nothing is published where the broker refused it.
    package static let avoidance: Duration = .seconds(600)
    /// The same where it refuses again and again.
    private static let longestAvoidance: Duration = .seconds(86_400)
    /// A connection that is lost beside a topic may be a coincidence once.
    private static let lossesOfRefusal = 2
    /// So many topics of one family that end connections stand for all of it.
    private static let refusalsOfFamily = 3

    /// How often the broker refused, and until when nothing is published there.
    private struct Refusal {
        var times: Int
        var until: ContinuousClock.Instant
        /// It is tried again.
        var isOver = false

        /// One more than `earlier`.
        init(after earlier: Refusal?, at now: ContinuousClock.Instant) {
            times = (earlier?.times ?? 0) + 1
            until = now + min(RetainedStates.avoidance * (1 << min(times - 1, 10)), RetainedStates.longestAvoidance)
        }
    }

    private struct Family {
        var topics: Set<String> = []
        var refusal: Refusal?
    }

    private struct State {
        package var payload: [UInt8]
        package var expiry: Duration?
        /// Grows with each one that is set.
        package var turn: UInt64
    }

    /// Whether the broker has been given all.
    package var areGiven: Bool { waiting.isEmpty && doubtful.isEmpty }

    /// - Returns: whether that is new.
    package mutating func set(_ payload: [UInt8], topic: String, expiry: Duration?) -> Bool {
        guard states[topic]?.payload != payload else { return false }
        lastTurn += 1
        states[topic] = State(payload: payload, expiry: expiry, turn: lastTurn)
        waiting.add(topic)
        return true
    }

    /// Gives the broker those again whose topic is wanted.
    package mutating func repeatAll(where isWanted: (String) -> Bool) {
        for (topic, _) in states.filter({ isWanted($0.key) }).sorted(by: { $0.value.turn < $1.value.turn }) {
            waiting.add(topic)
        }
    }

    /// Another connection has been given none of them.
    package mutating func beginAnew() {
        (waiting, doubtful, underWay) = (TopicQueue(), TopicQueue(), [:])
        repeatAll { _ in true }
    }

    /// The next one that the broker is to be given. It is under way until it is acknowledged, refused or not sent.
    package mutating func next(at now: ContinuousClock.Instant) -> MQTTMessage? {
        tryAgain(at: now)
        // What is suspected is alone under way, so that a connection that is lost by it says so.
        if underWay.keys.contains(where: isSuspected) { return nil }
        while let topic = waiting.popFirst() {
            if isSuspected(topic) {
                doubtful.add(topic)
            } else if let message = give(topic, at: now) {
                return message
            }
        }
        guard underWay.isEmpty else { return nil }
        while let topic = doubtful.popFirst() {
            if let message = give(topic, at: now) { return message }
        }
        return nil
    }

    private mutating func tryAgain(at now: ContinuousClock.Instant) {
        for (topic, refusal) in refused where !refusal.isOver && refusal.until <= now {
            refused[topic]?.isOver = true
            if !waiting.contains(topic) { waiting.add(topic) }
        }
        for (name, family) in families where family.refusal.map({ !$0.isOver && $0.until <= now }) ?? false {
            families[name]?.refusal?.isOver = true
            repeatAll { Self.family($0) == name }
        }
    }

    private mutating func give(_ topic: String, at now: ContinuousClock.Instant) -> MQTTMessage? {
        guard let state = states[topic], !isAvoided(topic, at: now) else { return nil }
        underWay[topic, default: 0] += 1
        return MQTTMessage(
            topic: topic, payload: state.payload, isRetained: true, properties: .init(expiry: state.expiry))
    }

    /// The broker has it.
    package mutating func acknowledge(_ topic: String) {
        isAnswered(topic)
        refused.removeValue(forKey: topic)
        suspected.removeValue(forKey: topic)
        if !families.isEmpty { families.removeValue(forKey: Self.family(topic)) }
        if states[topic]?.payload.isEmpty == true, !waiting.contains(topic) { states.removeValue(forKey: topic) }
    }

    /// It couldn't be sent.
    package mutating func notSent(_ topic: String) { isAnswered(topic) }

    /// The broker doesn't allow it. Some end the connection of whoever publishes such a thing: what belongs to other
    /// people's tools mustn't keep records from the broker again and again.
    ///
    /// - Parameter own: a topic of the gateway's own, whose neighbours are always tried, as records are.
    package mutating func refuse(_ topic: String, own: String?, at now: ContinuousClock.Instant) {
        isAnswered(topic)
        // Whoever published it again at each connection would lose each connection by it.
        refused[topic] = Refusal(after: refused[topic], at: now)
        let level = Self.firstLevel(topic)
        guard let own, Self.firstLevel(own) != level else { return }
        avoided[level] = now + Self.avoidance
    }

    /// The other side closed the connection, without saying why. With MQTT 3.1.1 a broker has no other way to refuse a
    /// publication: it answers as if it had taken it, or it closes (3.1.1, section 3.3.5).
    ///
    /// - Parameter own: as for `refuse`.
    /// - Returns: the topic that is held to be refused by that.
    package mutating func connectionClosed(own: String?, at now: ContinuousClock.Instant) -> String? {
        guard underWay.count == 1, let topic = underWay.keys.first else {
            for topic in underWay.keys where suspected[topic] == nil { suspected[topic] = 0 }
            return nil
        }
        let losses = suspected[topic, default: 0] + 1
        suspected[topic] = losses
        let name = Self.family(topic)
        var family = families[name] ?? Family()
        defer { families[name] = family }
        guard losses >= Self.lossesOfRefusal else { return nil }
        refuse(topic, own: own, at: now)
        family.topics.insert(topic)
        if family.topics.count >= Self.refusalsOfFamily { family.refusal = Refusal(after: family.refusal, at: now) }
        return topic
    }

    private func isSuspected(_ topic: String) -> Bool {
        suspected[topic] != nil || (!families.isEmpty && families[Self.family(topic)] != nil)
    }

    private mutating func isAnswered(_ topic: String) {
        guard let times = underWay[topic] else { return }
        underWay[topic] = times > 1 ? times - 1 : nil
    }

    private func isAvoided(_ topic: String, at now: ContinuousClock.Instant) -> Bool {
        if let refusal = refused[topic], !refusal.isOver { return true }
        if !families.isEmpty, let refusal = families[Self.family(topic)]?.refusal, !refusal.isOver { return true }
        if avoided.isEmpty { return false }
        return avoided[Self.firstLevel(topic)].map { now < $0 } ?? false
    }

    private static func firstLevel(_ topic: String) -> String { String(topic.prefix { $0 != "/" }) }

    private static func family(_ topic: String) -> String {
        topic.lastIndex(of: "/").map { String(topic[..<$0]) } ?? ""
    }
}
