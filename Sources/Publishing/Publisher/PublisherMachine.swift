package import BeaconModel
package import RecordContract

/// The decisions of a publisher: which broker is tried when, what is sent over a connection, what follows from the
/// broker's answers, and when a connection is left. Pure.
///
/// Inputs of a connection bear its number, so that what is heard of an earlier one changes nothing.
package struct PublisherMachine: Sendable {
    typealias Instant = ContinuousClock.Instant

    let configuration: BrokerConfiguration
    let storedTopic: String?
    /// Interval of the check for renewed certificates and for a preferred broker.
    let watchInterval: Duration
    let preferredInterval: Duration
    var generator: any RandomNumberGenerator & Sendable

    var announcement: Announcement?
    /// Topic filters by the number of their reader.
    var filters: [String] = []
    var failover: BrokerFailover
    var history = ConnectionHistory()
    var backoff: Backoff
    var phase = Phase.idle
    /// Number of attempts to connect.
    package internal(set) var connections = 0
    /// Brokers about which the MQTT 3.1.1 warning was logged.
    var saidToBeOld: Set<BrokerEndpoint> = []

    var states = RetainedStates()
    var awaited = AwaitedMessages()
    /// Messages that were put out as `send` and of which it is not known yet whether they were sent.
    var handedOver = (messages: 0, states: 0)
    var fetching = Fetching.idle
    /// Number of acknowledgements and rejections.
    var answers = 0
    /// Dropped messages of other clients.
    var dropped = NoticeCounter()
    /// Messages of the consumer that could not be parsed.
    var malformed = NoticeCounter()
    var refusalNotes = RefusalNotes()
    /// Why sent messages are not acknowledged, and whether there were records among them.
    var undelivered: (text: String, hasRecords: Bool)?

    /// Number of messages that the broker has acknowledged, or rejected for good.
    package internal(set) var progress = 0
    /// Records acknowledged since the start.
    package internal(set) var acknowledgedRecords: UInt64 = 0
    /// Why the last connection failed, or the last record was rejected.
    package internal(set) var lastError: MQTTError?
    /// Takeovers of the session by another client; `nil` if there were none.
    package internal(set) var takeovers: SessionTakeovers?
    /// Why the broker rejected the most recently rejected record.
    package internal(set) var refusal: String?

    enum Phase: Sendable {
        case idle
        /// A connection is being opened, until this time; `nil` if the time is over.
        case connecting(until: Instant?)
        case connected(PublisherLink)
        /// The connection is lost, and the outbox is being told so.
        case disconnected(then: Next)
        case waiting(until: Instant)
        case over
    }

    /// What follows the end of a connection.
    enum Next: Sendable {
        case connect
        case wait(Duration)
        case end
    }

    /// Records being taken from the outbox and handed over. Two concurrent offers could assign one record's place to
    /// another.
    enum Fetching: Sendable {
        case idle
        /// - Parameter isStale: whether there may be more since.
        case fetching(isStale: Bool)
    }

    /// Time that sent messages have to be acknowledged before a connection is left for a better one.
    static let settling: Duration = .seconds(2)
    /// Time that the broker has to close a connection after DISCONNECT.
    static let closing: Duration = .seconds(1)

    /// Creates a machine; `start` connects it.
    ///
    /// - Parameters:
    ///   - announcement: `nil` for a client other than the gateway.
    ///   - storedTopic: the topic on which the consumer reports what it has stored.
    ///   - memory: which brokers speak which version.
    ///   - certificateInterval: interval of the check for renewed certificates.
    ///   - preferredInterval: interval of attempts to reach a broker that is preferred to the present one.
    ///   - backoff: the time between attempts.
    ///   - generator: the random part of that time.
    package init(
        configuration: BrokerConfiguration, announcement: Announcement?, storedTopic: String?, memory: [KnownBroker],
        certificateInterval: Duration, preferredInterval: Duration, backoff: Backoff,
        generator: any RandomNumberGenerator & Sendable, now: Timestamp
    ) {
        self.configuration = configuration
        self.announcement = announcement
        self.storedTopic = storedTopic
        self.preferredInterval = preferredInterval
        watchInterval = min(certificateInterval, preferredInterval)
        self.backoff = backoff
        self.generator = generator
        failover = BrokerFailover(
            endpoints: configuration.endpoints, choice: configuration.version, memory: memory, now: now)
    }

    /// The connection, while the broker has accepted it.
    var link: PublisherLink? {
        if case .connected(let link) = phase { link } else { nil }
    }

    /// Whether the broker has accepted the connection with this number, and it is not lost.
    package func isConnected(_ number: Int) -> Bool { link?.number == number }

    package var isOver: Bool {
        if case .over = phase { true } else { false }
    }

    /// The broker and the MQTT version of the present connection.
    package var connectedTo: (broker: BrokerEndpoint, version: MQTTVersion)? {
        link.map { ($0.endpoint, $0.session.version) }
    }

    /// Why sent messages are not acknowledged: one sentence without a full stop.
    package var complaint: String? { undelivered?.text }

    /// The time at which `timeReached` is due; `nil` if nothing depends on the time.
    package var wakesAt: ContinuousClock.Instant? {
        switch phase {
        case .connecting(let until): until
        case .connected(let link): link.wakesAt
        case .waiting(let until): until
        case .idle, .disconnected, .over: nil
        }
    }

    /// Queues the states again whose topics satisfy `isWanted`.
    package mutating func queueStates(where isWanted: (String) -> Bool) { states.repeatAll(where: isWanted) }

    /// Handles an input.
    ///
    /// - Returns: what has to be done, in this order.
    package mutating func handle(_ input: Input, now: Moment) -> [Output] {
        let outputs: [Output] =
            switch input {
            case .start: start(now)
            case .cancel: cancel()
            case .finish(let limit): finish(within: limit, now)
            case .timeReached: timeReached(now)
            case .announce(let new): announce(new, now)
            case .setState(let payload, let topic, let expiry):
                states.set(payload, topic: topic, expiry: expiry) ? offerStates(now) : []
            case .statesQueued: offerStates(now)
            case .publishOnce(let message): publishOnce(message)
            case .subscribe(let filter): subscribe(filter)
            case .connection(let number, let event): number == connections ? heard(event, now) : []
            case .requested(let subscription, let number): requested(subscription, number)
            case .notRequested(let subscription, let error):
                subscription == .stored ? [] : [.log(.subscriptionFailed(error))]
            case .sent(let message, let number): sent(message, number)
            case .notSent(let message, let awaited, let error): notSent(message, awaited, error, now)
            case .recordsSent(let entries, let results): recordsSent(entries, results, now)
            case .outboxChanged: fetch()
            case .outboxOffline: outboxOffline(now)
            case .fetched(let offer, let number): fetched(offer, number, now)
            case .confirmed(let answers): confirmed(answers, now)
            case .undelivered(let count): counted(undelivered: count, now)
            case .certificates(let files): examined(files, now)
            case .probed(let probe, let error): probed(probe, error, now)
            }
        return outputs + advance(now)
    }

    /// Changes the connection in place; does nothing without one.
    mutating func changeLink(_ change: (inout PublisherLink) -> Void) {
        guard case .connected(var link) = phase else { return }
        change(&link)
        phase = .connected(link)
    }

    private mutating func start(_ now: Moment) -> [Output] {
        if case .idle = phase { connect(now) } else { [] }
    }

    private mutating func timeReached(_ now: Moment) -> [Output] {
        switch phase {
        case .connecting(let until?) where until <= now.instant:
            phase = .connecting(until: nil)
            return [.abandon(.timedOut)]
        case .waiting(let until) where until <= now.instant: return connect(now)
        case .connected(let link):
            guard let due = link.resumesAt, due <= now.instant else { return nextStep(of: link, now) }
            changeLink { $0.resumesAt = nil }
            // The step comes first: it must not wait for the outbox, and may be the end of the offers.
            return nextStep(of: link, now) + fetch()
        case .idle, .connecting, .disconnected, .waiting, .over: return []
        }
    }
}
