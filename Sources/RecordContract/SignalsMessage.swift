package import BeaconModel

/// A message on the `signals` topic: what one receiver received in one second. It is not a record: it has no place in
/// the outbox and no sequence number, and is worthless when it is late.
package struct SignalsMessage: Sendable {
    package let topic: String
    package let payload: Payload

    /// Time after which a broker that speaks MQTT 5 no longer delivers the message.
    private static let expiry: Duration = .seconds(10)

    /// The payload; the contract defines the field names.
    package struct Payload: Encodable, Sendable {
        package var place: InteractionPayload.PlacePayload
        package var boot: UInt64
        /// Number of the message in this boot, from 1. A gap is a message that was lost.
        package var number: UInt64
        /// Start of the second.
        package var time: String
        /// Listening time in seconds, to a tenth.
        package var listenedSeconds: Double
        package var subjects: [SubjectGroup]
        package var clock: String
    }

    /// Returns the message as it is sent.
    ///
    /// - Parameter key: signs the message; `nil`: it is not signed.
    package func message(signedWith key: SigningKey?) -> MQTTMessage {
        let encoded = JSON.encode(payload)
        return MQTTMessage(
            topic: topic, payload: key.map { MessageTag.adding(to: encoded, key: $0, for: .signals) } ?? encoded,
            qualityOfService: .atMostOnce, properties: .init(expiry: Self.expiry))
    }
}

/// A factory that makes messages of signals and numbers them. Pure.
package struct SignalsFactory: Sendable {
    private let place: Place
    private let boot: UInt64
    private let topic: String
    private let pseudonymizer: Pseudonymizer?
    private var lastNumber: UInt64 = 0

    /// Creates a factory.
    ///
    /// - Parameter pseudonymizer: if `nil`, phones are not published.
    package init(place: Place, boot: UInt64, topics: Topics, pseudonymizer: Pseudonymizer?) {
        self.place = place
        self.boot = boot
        topic = topics.signals
        self.pseudonymizer = pseudonymizer
    }

    /// Returns the messages of a second: one, or several with different subjects, each of which is complete by itself.
    ///
    /// Phones have the pseudonyms of the day of the second.
    ///
    /// - Parameters:
    ///   - receiver: the place of the remote receiver; `nil`: the gateway itself.
    ///   - clockIsSynchronized: whether the time of the signals is reliable.
    package mutating func messages(
        for signals: Signals, at receiver: Place? = nil, clockIsSynchronized: Bool
    ) -> [SignalsMessage] {
        let place = receiver ?? place
        let key = pseudonymizer?.key(site: place.site, day: signals.startedAt.day)
        return SubjectGroup.messages(for: signals.subjects, key).map { groups in
            lastNumber += 1
            return SignalsMessage(
                topic: topic,
                payload: .init(
                    place: .init(place), boot: boot, number: lastNumber, time: signals.startedAt.rfc3339,
                    listenedSeconds: rounded(min(max(signals.listened, .zero), .seconds(1)).inSeconds, 10),
                    subjects: groups, clock: clockIsSynchronized ? "synchronized" : "unsynchronized"))
        }
    }
}
