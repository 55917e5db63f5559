package import BeaconModel

/// An error between this process and the broker.
package struct MQTTError: OperatorError, Equatable {
    package enum Cause: Equatable, Sendable {
        /// A status of libmosquitto.
        case library(LibraryStatus)
        /// The reason in the broker's CONNACK (MQTT 3.1.1, section 3.2.2.3; MQTT 5.0, section 3.2.2.2).
        case refused(Int32)
        /// The reason in a PUBACK of MQTT 5 (section 3.4.2.1), and the topic.
        case rejected(Int32, topic: String)
        /// The reason in a PUBACK of MQTT 5 (section 3.4.2.1) for a message that is not a record, and the topic.
        case notTaken(Int32, topic: String)
        /// A connection that the broker had accepted was lost.
        case lost(LostConnection)
        /// The connection is alive, but sent messages are not acknowledged: the number of messages, and the time limit.
        case unanswered(Int, within: Duration)
        /// The reason in the broker's DISCONNECT of MQTT 5 (section 3.14.2.1).
        case disconnected(Int32)
        /// The connection was closed before the broker had sent anything.
        case closed
        /// The broker's certificate was refused for OpenSSL's reason; `nil` if the certificate is valid, but for
        /// another host.
        case certificate(String?)
        /// TLS failed for another reason, in OpenSSL's words.
        case encryption(String)
        /// The files of a TLS configuration cannot be used.
        case credentials(String)
        /// The broker did not answer in time.
        case timedOut
        /// The broker violated the protocol or the limits of a subscription.
        case breach(Breach)
        /// A received message could not be stored and was not acknowledged.
        case notStored
        /// The reason of a failed system call.
        case system(SystemError)
    }

    /// A violation of the protocol by the broker.
    package enum Breach: Equatable, Sendable {
        /// The broker accepts the connection a second time (MQTT 5.0, section 3.2).
        case secondConnectionAcknowledgement
        /// The broker confirms a subscription that was not requested.
        case unaskedSubscription
        /// The broker sends a message with QoS 2, above that of all subscriptions (MQTT 5.0, section 3.8.4).
        case unsubscribedQualityOfService
    }

    package var broker: String
    package var cause: Cause

    /// Creates an error.
    ///
    /// - Parameter broker: host and port, for display.
    package init(broker: String, cause: Cause) {
        self.broker = broker
        self.cause = cause
    }

    package var what: String {
        switch cause {
        case .library(.keepAlive): "broker \(broker) does not answer"
        case .library(.unknownHost): "broker \(broker): unknown host name"
        case .library(.qualityOfServiceNotSupported): "broker \(broker) does not accept messages with QoS 1"
        // libmosquitto 2.0 has no description for this status.
        case .library(.malformedPacket): "broker \(broker) sent a malformed MQTT packet"
        case .library(let status):
            "broker \(broker): \(status.words) (libmosquitto \(status.number))"
        case .refused(let reason): "broker \(broker) refused: \(MQTTReason.name(reason))"
        case .rejected(let reason, let topic), .notTaken(let reason, let topic):
            "broker \(broker) rejects messages on \(topic): \(MQTTReason.name(reason))"
        case .lost(let connection):
            "the connection to broker \(broker) was lost after \(connection.shownTime)"
                + (connection.wasAnswered ? "" : ", before anything was acknowledged")
                + (connection.inARow > 1 ? " (\(connection.inARow) in a row)" : "") + ": " + connection.reason
        case .unanswered(let count, let limit):
            "broker \(broker) does not acknowledge: \(count) \(count == 1 ? "message waits" : "messages wait"), the "
                + "oldest for \(limit.components.seconds) s, although the connection is alive"
        case .disconnected(let reason): "broker \(broker) closed the connection: \(MQTTReason.name(reason))"
        case .closed: "broker \(broker) closed the connection without giving a reason"
        case .certificate(let reason?): "broker \(broker) has an untrusted certificate: \(reason)"
        case .certificate(nil): "broker \(broker) has a certificate of another host"
        case .encryption(let reason): "broker \(broker): no encrypted connection: \(reason)"
        case .credentials(let reason): "broker \(broker): TLS cannot be set up: \(reason)"
        case .timedOut: "broker \(broker) does not answer in time"
        case .breach(let breach): "disconnected from broker \(broker): \(Self.text(of: breach))"
        case .notStored: "disconnected from broker \(broker): its messages cannot be stored, and will be re-delivered"
        case .system(let error): "broker \(broker): \(error.reason)"
        }
    }

    package var remedy: String? {
        switch cause {
        case .refused(let reason) where Self.isDenial(reason):
            "check mqtt.username and mqtt.password-file, and the broker's access list"
        case .refused(let reason) where Self.isVersion(reason): "set mqtt.version to \"auto\""
        case .refused: nil
        case .rejected(let reason, let topic):
            Self.remedy(ofRefusal: reason, topic: topic) + ". Until then records wait in the outbox"
        case .notTaken(let reason, let topic):
            Self.remedy(ofRefusal: reason, topic: topic) + "; it is skipped for now"
        case .lost(let connection) where connection.inARow < ConnectionHistory.manyInARow: nil
        case .lost(let connection) where connection.wasAnswered:
            "check the network to the broker, and in the broker's log whether another client has the same client identifier: "
                + Self.remedyForTwoOfOneName
        case .lost:
            "check the network to the broker, and in the broker's log whether it closes the connection itself: "
                + "brokers do so if this client's user is not allowed to write below its own topics: with "
                + "deploy/mosquitto/users.py mqtt.username must be the gateway's place, SITE/BUILDING/FLOOR/GATEWAY"
        case .unanswered:
            "check the broker's log: its memory or disk may be full, or its cluster without a majority. The "
                + "connection was closed, and unacknowledged messages are re-delivered"
        case .disconnected(MQTTReason.sessionTakenOver):
            "another client has the same client identifier: " + Self.remedyForTwoOfOneName
        case .certificate(nil):
            "set mqtt.host to the host name of the certificate, or renew the certificate with this host name"
        case .certificate:
            "renew the broker's certificate, or specify the CA that signed it in mqtt.tls.ca-file"
        case .credentials: "check the files named in mqtt.tls"
        case .encryption:
            "check that the port is one for TLS, and certificate-file, key-file (or psk-identity, psk-file) and "
                + "ca-file of mqtt.tls: a broker that requires a client certificate refuses clients without one"
        case .library(.qualityOfServiceNotSupported):
            "raise the broker's highest QoS (mosquitto: max_qos). Until then records wait in the outbox"
        case .disconnected: "check the broker's log"
        case .closed:
            "check the broker's log; if it supports only MQTT 3.1.1, set mqtt.version to \"3.1.1\""
        case .breach:
            "check that a broker answers at mqtt.host and mqtt.port, and use TLS (mqtt.tls) to authenticate it"
        case .notStored: nil
        case .library, .system, .timedOut:
            "check the broker's host and port (mqtt.host, mqtt.port), that the broker is running, and that the network allows the connection"
        }
    }

    package var exitStatus: ExitStatus { .unavailable }

    /// Whether the broker may speak only an older version. Some brokers report this, others just close the connection.
    package var suggestsOlderVersion: Bool {
        switch cause {
        case .closed: true
        default: isRefusalOfVersion
        }
    }

    /// Whether the broker has reported that it does not speak this version.
    var isRefusalOfVersion: Bool {
        guard case .refused(let reason) = cause else { return false }
        return Self.isVersion(reason)
    }

    private static func text(of breach: Breach) -> String {
        switch breach {
        case .secondConnectionAcknowledgement: "it accepted the same connection twice"
        case .unaskedSubscription: "it confirmed a subscription that was not requested"
        case .unsubscribedQualityOfService: "it sends messages with QoS 2, without a subscription for it"
        }
    }

    /// The remedy for two clients that disconnect each other from the broker.
    static let remedyForTwoOfOneName =
        "give each gateway its own place.gateway, and each matcher its own mqtt.client-id; a cloned SD card has the "
        + "name of its original"

    /// Whether the message is longer than this broker accepts.
    package var isAboutSize: Bool { cause == .library(.oversizePacket) }

    /// Whether the message itself cannot be sent, not even over another connection.
    package var isAboutMessage: Bool {
        let statuses: [LibraryStatus] = [.invalidInput, .payloadTooLarge, .malformedUTF8, .oversizePacket]
        return statuses.contains { cause == .library($0) }
    }

    private static func isVersion(_ reason: Int32) -> Bool {
        reason == 1 || reason == MQTTReason.unsupportedProtocolVersion
    }

    /// Whether somebody answered at the broker's port.
    package var isAnswer: Bool {
        switch cause {
        case .refused, .closed, .certificate, .encryption, .disconnected: true
        default: false
        }
    }

    /// Whether the reason for refusing a connection is the user name, the password or the user's permissions.
    package static func isDenial(_ reason: Int32) -> Bool {
        [4, 5, MQTTReason.badUserNameOrPassword, MQTTReason.notAuthorized].contains(reason)
    }
}
