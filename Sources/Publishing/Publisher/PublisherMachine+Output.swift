package import RecordContract

extension PublisherMachine {
    /// An action for the owner. Outputs are carried out in their order; the answer to one is handled, and what follows
    /// from it is carried out, before the next.
    package enum Output: Equatable, Sendable {
        case connect(Attempt)
        /// Sends DISCONNECT, after which the broker closes the connection and does not publish the will.
        case disconnect
        /// Ends the connection at once, with this cause.
        case abandon(MQTTError.Cause?)

        /// Hands over a message. Answered with `sent` or `notSent`.
        case send(MQTTMessage, as: AwaitedMessages.Message)
        /// Hands over a message whose loss does not matter.
        case sendUnawaited(MQTTMessage)
        /// Hands over records of the connection with this number. Answered with `recordsSent`.
        case sendRecords([OutboxEntry], connection: Int)
        /// Answered with `requested` or `notRequested`.
        case request(Subscription, filter: String)

        /// Tells the outbox whether the broker can be reached. Answered with `outboxChanged` or `outboxOffline`.
        case setOnline(Bool)
        /// Takes records from the outbox. Answered with `fetched`.
        case fetch(limit: Int, connection: Int)
        /// Tells the outbox that the broker has these records. Answered with `confirmed`.
        case confirm([Int64], answers: Int)
        /// Drops records that no broker can accept.
        case refuse([Int64])
        /// Keeps records that the broker rejects at present. Answered with `outboxChanged`, once all are kept: what is
        /// offered next must not overtake them.
        case withhold([Int64])
        /// Tells the outbox what the consumer has stored. Answered with `outboxChanged`.
        case stored(through: RecordPosition, isRetained: Bool)
        /// Answered with `undelivered`.
        case countUndelivered

        /// Gives a received message to the readers of its topic.
        case deliver(MQTTMessage)
        /// Answered with `certificates`.
        case readCertificates
        /// Tests another connection beside the present one. Answered with `probed`, later.
        case probe(Probe)
        /// Keeps which versions the brokers speak.
        case remember([KnownBroker])
        /// `takeovers` has changed.
        case takeoversChanged
        case log(PublisherNotice)
    }

    /// A connection to open.
    package struct Attempt: Equatable, Sendable {
        package var number: Int
        package var endpoint: BrokerEndpoint
        package var version: MQTTVersion
        package var will: MQTTMessage?
        package var session: SessionKeeping
    }

    /// A test of whether a connection is possible.
    package struct Probe: Equatable, Sendable {
        package enum Purpose: Equatable, Sendable {
            case renewedCertificates
            case preferredBroker
        }

        package var purpose: Purpose
        package var endpoint: BrokerEndpoint
        /// The version; `nil`: the configured one.
        package var version: MQTTVersion?
        /// The number of the present connection.
        package var connection: Int
    }
}
