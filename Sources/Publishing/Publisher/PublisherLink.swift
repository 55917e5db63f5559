/// A connection that the broker has accepted.
struct PublisherLink: Sendable {
    typealias Instant = ContinuousClock.Instant

    let number: Int
    let endpoint: BrokerEndpoint
    let session: MQTTSession
    /// Maximum number of messages that wait for their acknowledgement.
    let window: Int
    let since: Instant
    /// Whether the broker has acknowledged anything.
    var hasAnswered = false
    /// The time at which the outbox is asked again, because only the pace or a rejection holds records back.
    var resumesAt: Instant?
    /// Subscriptions that the broker has not answered, by number.
    var requests: [Int32: PublisherMachine.Subscription] = [:]
    var stage = Stage.serving
    var watch: Watch
    var certificates: CertificateFiles?
    /// The time of the latest attempt to reach the preferred broker.
    var preferredTriedAt: Instant

    /// What the connection is used for.
    enum Stage {
        case serving
        case departing(Departure)
        case finishing(Finishing)
    }

    /// The steps of giving up the connection for a better one.
    enum Departure {
        /// Sent messages are awaited until this time.
        case settling(until: Instant)
        /// DISCONNECT was sent. A broker that fails to close the connection is not waited for.
        case disconnected(until: Instant)
        case abandoned
    }

    /// The steps of the end of the publisher.
    enum Finishing {
        /// What waits is delivered. The outbox is asked for the rest whenever the broker has answered everything, and
        /// has given other than `answers` answers.
        case delivering(Deadlines, answers: Int?)
        /// The farewell was sent.
        case farewell(Deadlines)
        /// DISCONNECT was sent. If the process exited too early, the broker would treat it as a lost connection and
        /// publish the will.
        case disconnected(until: Instant)
        case abandoned
    }

    /// Until when the steps of the end may take.
    struct Deadlines {
        var delivery: Instant
        var farewell: Instant
        var end: Instant

        init(within limit: Duration, from now: Instant) {
            end = now + limit
            delivery = end - limit / 3
            farewell = end - limit / 10
        }
    }

    /// The search for a better connection.
    enum Watch {
        case resting(until: Instant)
        /// The certificates are being read.
        case examining
        /// Another connection is being tested.
        case probing
    }

    var isServing: Bool {
        if case .serving = stage { true } else { false }
    }

    /// Whether records are offered. Records that are sent just before DISCONNECT are not acknowledged any more, and
    /// would be sent again.
    var takesRecords: Bool {
        switch stage {
        case .serving, .finishing(.delivering): true
        case .departing, .finishing: false
        }
    }

    var isFinishing: Bool {
        if case .finishing = stage { true } else { false }
    }

    /// The time of the next step; `nil` if only the broker's answers lead to one.
    var wakesAt: Instant? {
        let step: Instant? =
            switch stage {
            case .serving:
                if case .resting(let time) = watch { time } else { nil }
            case .departing(.settling(let time)), .departing(.disconnected(let time)): time
            case .finishing(.delivering(let deadlines, _)): deadlines.delivery
            case .finishing(.farewell(let deadlines)): deadlines.farewell
            case .finishing(.disconnected(let time)): time
            case .departing(.abandoned), .finishing(.abandoned): nil
            }
        guard let resumesAt, let step else { return resumesAt ?? step }
        return min(resumesAt, step)
    }
}
