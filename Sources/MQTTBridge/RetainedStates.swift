/// What is to be retained by the broker, topic by topic, and which of it the broker hasn't been given yet. Pure.
struct RetainedStates: Sendable {
    /// Bounded by those who set them. An empty one is forgotten once the broker has it.
    private var states: [String: State] = [:]
    /// In the order in which they were set: some mean something only after others.
    private var waiting = TopicQueue()
    private var lastTurn: UInt64 = 0
    /// First levels of topics where the broker refused one, and until when nothing is published there: there are a few.
    private var avoided: [String: ContinuousClock.Instant] = [:]

    /// Topics that the broker refused, how often, and until when nothing is published there.
    private var refused: [String: Refusal] = [:]

    /// For so long nothing is published where the broker refused it.
    static let avoidance: Duration = .seconds(600)
    /// The same where it refuses again and again.
    private static let longestAvoidance: Duration = .seconds(86_400)

    private struct Refusal {
        var times: Int
        var until: ContinuousClock.Instant
        /// It is tried again.
        var isOver = false
    }

    private struct State {
        var payload: [UInt8]
        var expiry: Duration?
        /// Grows with each one that is set.
        var turn: UInt64
    }

    /// Whether the broker has been given all.
    var areGiven: Bool { waiting.isEmpty }

    /// - Returns: whether that is new.
    mutating func set(_ payload: [UInt8], topic: String, expiry: Duration?) -> Bool {
        guard states[topic]?.payload != payload else { return false }
        lastTurn += 1
        states[topic] = State(payload: payload, expiry: expiry, turn: lastTurn)
        waiting.add(topic)
        return true
    }

    /// Gives the broker those again whose topic is wanted.
    mutating func repeatAll(where isWanted: (String) -> Bool) {
        for (topic, _) in states.filter({ isWanted($0.key) }).sorted(by: { $0.value.turn < $1.value.turn }) {
            waiting.add(topic)
        }
    }

    /// Another connection has been given none of them.
    mutating func beginAnew() {
        waiting = TopicQueue()
        repeatAll { _ in true }
    }

    /// The next one that the broker is to be given.
    mutating func next(at now: ContinuousClock.Instant) -> MQTTMessage? {
        for (topic, refusal) in refused where !refusal.isOver && refusal.until <= now {
            refused[topic]?.isOver = true
            if !waiting.contains(topic) { waiting.add(topic) }
        }
        while let topic = waiting.popFirst() {
            guard let state = states[topic], !isAvoided(topic, at: now) else { continue }
            if let refusal = refused[topic], !refusal.isOver { continue }
            return MQTTMessage(
                topic: topic, payload: state.payload, isRetained: true, properties: .init(expiry: state.expiry))
        }
        return nil
    }

    /// The broker has it.
    mutating func acknowledge(_ topic: String) {
        refused.removeValue(forKey: topic)
        if states[topic]?.payload.isEmpty == true, !waiting.contains(topic) { states.removeValue(forKey: topic) }
    }

    /// The broker doesn't allow it. Some end the connection of whoever publishes such a thing: what belongs to other
    /// people's tools mustn't keep records from the broker again and again.
    ///
    /// - Parameter own: a topic of the gateway's own, whose neighbours are always tried, as records are.
    mutating func refuse(_ topic: String, own: String?, at now: ContinuousClock.Instant) {
        // Whoever published it again at each connection would lose each connection by it.
        let times = (refused[topic]?.times ?? 0) + 1
        let pause = min(Self.avoidance * (1 << min(times - 1, 10)), Self.longestAvoidance)
        refused[topic] = Refusal(times: times, until: now + pause)
        let level = Self.firstLevel(topic)
        guard let own, Self.firstLevel(own) != level else { return }
        avoided[level] = now + Self.avoidance
    }

    private func isAvoided(_ topic: String, at now: ContinuousClock.Instant) -> Bool {
        if avoided.isEmpty { return false }
        return avoided[Self.firstLevel(topic)].map { now < $0 } ?? false
    }

    private static func firstLevel(_ topic: String) -> String { String(topic.prefix { $0 != "/" }) }
}
