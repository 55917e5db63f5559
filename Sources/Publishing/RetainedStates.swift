package import RecordContract

/// Retained messages by topic, and those that the broker has not received yet. Pure.
package struct RetainedStates: Sendable {
    /// The states by topic; callers bound their number. An empty state is removed once the broker has it.
    private var states: [String: State] = [:]
    /// Topics in the order in which they were set, because some states are meaningful only after others.
    private var waiting = TopicQueue()
    /// Topics of `waiting` that are tried alone, after the others.
    private var doubtful = TopicQueue()
    private var lastTurn: UInt64 = 0
    /// First levels of topics at which the broker rejected one, and until when nothing is published there. There are
    /// only a few.
    private var avoided: [String: ContinuousClock.Instant] = [:]
    /// Topics that the broker rejected.
    private var refused: [String: Refusal] = [:]
    /// Topics that were sent and not answered yet, and how often each was sent.
    private var underWay: [String: Int] = [:]
    /// Topics that were in flight when the other side closed a connection, and how often each was the only one.
    private var suspected: [String: Int] = [:]
    /// Families of topics, keyed by the topic without its last level: those with a topic that was the only one in
    /// flight when a connection ended, and those that are presumed to be rejected.
    private var families: [String: Family] = [:]

    package init() {
    }

    /// Time for which nothing is published where the broker rejected a message.
    package static let avoidance: Duration = .seconds(600)
    /// Maximum of that time if the broker rejects messages repeatedly.
    private static let longestAvoidance: Duration = .seconds(86_400)
    /// Number of lost connections that count as a rejection. A single loss may be a coincidence.
    private static let lossesOfRefusal = 2
    /// Number of topics of a family whose connections ended after which the whole family counts as rejected.
    private static let refusalsOfFamily = 3

    /// The number of rejections, and the time until which nothing is published.
    private struct Refusal {
        var times: Int
        var until: ContinuousClock.Instant
        /// Whether the time is over and publication is tried again.
        var isOver = false

        /// Counts one rejection more than `earlier`.
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
        /// A number that increases with each state that is set.
        package var turn: UInt64
    }

    /// Whether all states have been handed over for sending.
    package var areGiven: Bool { waiting.isEmpty && doubtful.isEmpty }

    /// Sets the state of a topic.
    ///
    /// - Returns: whether the payload is new.
    package mutating func set(_ payload: [UInt8], topic: String, expiry: Duration?) -> Bool {
        guard states[topic]?.payload != payload else { return false }
        lastTurn += 1
        states[topic] = State(payload: payload, expiry: expiry, turn: lastTurn)
        waiting.add(topic)
        return true
    }

    /// Queues the states again whose topics satisfy `isWanted`.
    package mutating func repeatAll(where isWanted: (String) -> Bool) {
        for (topic, _) in states.filter({ isWanted($0.key) }).sorted(by: { $0.value.turn < $1.value.turn }) {
            waiting.add(topic)
        }
    }

    /// Queues all states for a new connection, which has received none of them.
    package mutating func beginAnew() {
        (waiting, doubtful, underWay) = (TopicQueue(), TopicQueue(), [:])
        repeatAll { _ in true }
    }

    /// Returns the next state to send. It is in flight until it is acknowledged, refused or not sent.
    package mutating func next(at now: ContinuousClock.Instant) -> MQTTMessage? {
        tryAgain(at: now)
        // A suspected topic is sent alone, so that the loss of a connection can be attributed to it.
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

    /// Handles the broker's acknowledgement.
    package mutating func acknowledge(_ topic: String) {
        isAnswered(topic)
        refused.removeValue(forKey: topic)
        suspected.removeValue(forKey: topic)
        if !families.isEmpty { families.removeValue(forKey: Self.family(topic)) }
        if states[topic]?.payload.isEmpty == true, !waiting.contains(topic) { states.removeValue(forKey: topic) }
    }

    /// Handles a message that could not be sent.
    package mutating func notSent(_ topic: String) { isAnswered(topic) }

    /// Suspends a topic that the broker does not allow. Some brokers end the connection of a client that publishes on
    /// such a topic, and topics for third-party tools must not repeatedly keep records from the broker.
    ///
    /// - Parameter own: one of the gateway's own topics. Other topics with the same first level are still tried, as
    ///   records are.
    package mutating func refuse(_ topic: String, own: String?, at now: ContinuousClock.Instant) {
        isAnswered(topic)
        // Publishing it again at each connection would end each connection.
        refused[topic] = Refusal(after: refused[topic], at: now)
        let level = Self.firstLevel(topic)
        guard let own, Self.firstLevel(own) != level else { return }
        avoided[level] = now + Self.avoidance
    }

    /// Handles a connection that the other side closed without a reason. With MQTT 3.1.1 a broker has no other way to
    /// reject a publication: it either acknowledges it as if it were accepted, or closes the connection (3.1.1, section
    /// 3.3.5).
    ///
    /// - Parameter own: as for `refuse`.
    /// - Returns: the topic that is therefore presumed to be rejected.
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
