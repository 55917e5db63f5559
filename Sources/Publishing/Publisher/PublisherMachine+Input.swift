package import BeaconModel
package import RecordContract

extension PublisherMachine {
    /// A moment, by a clock that cannot be set and by the time of day.
    package struct Moment: Equatable, Sendable {
        package var instant: ContinuousClock.Instant
        package var wall: Timestamp

        package init(instant: ContinuousClock.Instant, wall: Timestamp) {
            self.instant = instant
            self.wall = wall
        }
    }

    /// What a publisher is asked to do, and what has happened.
    package enum Input: Sendable {
        case start
        /// Ends at once, without a farewell.
        case cancel
        /// Delivers what waits, sends the farewell and closes the connection.
        case finish(within: Duration)
        /// The time `wakesAt` has come.
        case timeReached

        case announce(Announcement)
        case setState([UInt8], topic: String, expiry: Duration?)
        /// States were queued again by `queueStates`.
        case statesQueued
        case publishOnce(MQTTMessage)
        /// Subscribes for another reader. Readers are numbered from 0.
        case subscribe(filter: String)

        /// Something has happened on the connection with this number.
        case connection(Int, ConnectionEvent)
        /// A subscription was requested. Its answer arrives under `number`.
        case requested(Subscription, number: Int32)
        case notRequested(Subscription, MQTTError)
        /// A message was handed over. Its answer arrives under `number`.
        case sent(AwaitedMessages.Message, number: Int32)
        case notSent(MQTTMessage, as: AwaitedMessages.Message, MQTTError)
        /// Records were handed over, in their order, up to the first error of the connection.
        case recordsSent([OutboxEntry], [Result<Int32, MQTTError>])

        /// There may be something to fetch from the outbox.
        case outboxChanged
        /// The outbox knows that the connection is lost.
        case outboxOffline
        /// The outbox's answer to `fetch`, for the connection with this number.
        case fetched(OutboxOffer, connection: Int)
        /// The outbox has recorded acknowledgements: how many messages the broker acknowledged with them.
        case confirmed(answers: Int)
        /// Number of records in the outbox that the broker may still accept.
        case undelivered(Int)

        case certificates(CertificateFiles)
        /// The result of a probe: `nil` if the broker is available.
        case probed(Probe, MQTTError?)
    }

    package enum ConnectionEvent: Sendable {
        case accepted(MQTTSession)
        case acknowledged([Int32])
        /// The broker rejects the message with this number.
        case rejected(Int32, reason: Int32)
        case subscribed(Int32, isGranted: Bool)
        /// A message was received, after `dropped` messages that were not.
        case received(MQTTMessage, dropped: UInt64)
        case ended(ConnectionFailure?)
    }

    /// The owner of a subscription.
    package enum Subscription: Equatable, Sendable {
        /// The reader with this number.
        case reader(Int)
        /// The topic on which the consumer reports what it has stored.
        case stored
    }
}
