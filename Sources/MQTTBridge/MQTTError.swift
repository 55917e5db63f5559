public import BeaconModel
import CMosquitto
import Glibc
import SystemIO

/// What can go wrong between this process and the broker.
public struct MQTTError: OperatorError, Equatable {
    public enum Cause: Equatable, Sendable {
        /// A status of libmosquitto.
        case library(Int32)
        /// The reason in the broker's CONNACK (MQTT 3.1.1, section 3.2.2.3; MQTT 5.0, section 3.2.2.2).
        case refused(Int32)
        /// The reason in a PUBACK of MQTT 5 (section 3.4.2.1), and the topic.
        case rejected(Int32, topic: String)
        /// The same of what isn't a record.
        case notTaken(Int32, topic: String)
        /// A connection that the broker had accepted broke.
        case lost(LostConnection)
        /// The connection lives, and what was sent isn't acknowledged: how many messages, and the time limit.
        case unanswered(Int, within: Duration)
        /// The reason in the broker's DISCONNECT of MQTT 5 (section 3.14.2.1).
        case disconnected(Int32)
        /// The connection was closed before the broker had said anything.
        case closed
        /// The broker's certificate was refused, with OpenSSL's reason; `nil` when it is good and of another host.
        case certificate(String?)
        /// TLS failed for another reason, in OpenSSL's words.
        case encryption(String)
        /// The files of a TLS configuration can't be used.
        case credentials(String)
        /// The broker took too long.
        case timedOut
        /// The broker does what neither the protocol nor a subscription allows.
        case breach(Breach)
        /// What came couldn't be stored, and wasn't acknowledged.
        case notStored
        /// The reason of a system call's failure.
        case system(Int32)
    }

    /// What a broker does that keeps to nothing.
    public enum Breach: Equatable, Sendable {
        /// It accepts the connection a second time (MQTT 5.0, section 3.2).
        case secondConnectionAcknowledgement
        /// It confirms a subscription that nobody asked for.
        case unaskedSubscription
        /// It sends a message with QoS 2, above that of all subscriptions (MQTT 5.0, section 3.8.4).
        case unsubscribedQualityOfService
    }

    public var broker: String
    public var cause: Cause

    /// - Parameter broker: host and port, for people.
    public init(broker: String, cause: Cause) {
        self.broker = broker
        self.cause = cause
    }

    public var what: String {
        switch cause {
        case .library(Int32(MOSQ_ERR_KEEPALIVE.rawValue)): "broker \(broker) doesn't answer"
        case .library(Int32(MOSQ_ERR_EAI.rawValue)): "broker \(broker): the name of the host isn't known"
        case .library(Int32(MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue)): "broker \(broker) takes no messages of QoS 1"
        // libmosquitto 2.0 has no words for it.
        case .library(Int32(MOSQ_ERR_MALFORMED_PACKET.rawValue)): "broker \(broker) sent a packet that is no MQTT"
        case .library(let status):
            "broker \(broker): \(String(cString: mosquitto_strerror(status))) (libmosquitto \(status))"
        case .refused(let reason): "broker \(broker) refused: \(Self.text(ofRefusal: reason))"
        case .rejected(let reason, let topic), .notTaken(let reason, let topic):
            "broker \(broker) doesn't take what is published on \(topic): \(Self.text(of: reason))"
        case .lost(let connection):
            "the connection to broker \(broker) broke after \(connection.shownTime)"
                + (connection.wasAnswered ? "" : ", before anything was acknowledged")
                + (connection.inARow > 1 ? " (\(connection.inARow) in a row)" : "") + ": " + connection.reason
        case .unanswered(let count, let limit):
            "broker \(broker) doesn't acknowledge: \(count) \(count == 1 ? "message waits" : "messages wait"), the oldest for "
                + "\(limit.components.seconds) s, although the connection lives"
        case .disconnected(let reason): "broker \(broker) closed the connection: \(Self.text(of: reason))"
        case .closed: "broker \(broker) closed the connection without a word"
        case .certificate(let reason?): "broker \(broker) shows a certificate that isn't trusted: \(reason)"
        case .certificate(nil): "broker \(broker) shows a certificate of another host"
        case .encryption(let reason): "broker \(broker): no encrypted connection: \(reason)"
        case .credentials(let reason): "broker \(broker): TLS can't be set up: \(reason)"
        case .timedOut: "broker \(broker) doesn't answer in time"
        case .breach(let breach): "broker \(broker) was left: \(Self.text(of: breach))"
        case .notStored: "broker \(broker) was left: what it sent can't be stored, and comes again"
        case .system(let errorNumber): "broker \(broker): \(SystemError.text(errorNumber))"
        }
    }

    public var remedy: String? {
        switch cause {
        case .refused(let reason) where Self.isDenial(reason):
            "check mqtt.username and mqtt.password-file, and the broker's access list"
        case .refused(let reason) where Self.isVersion(reason): "set mqtt.version to \"auto\""
        case .refused: nil
        case .rejected(let reason, let topic):
            Self.remedy(ofRefusal: reason, topic: topic) + ". Until then records wait in the outbox"
        case .notTaken(let reason, let topic):
            Self.remedy(ofRefusal: reason, topic: topic) + "; it is left out for now"
        case .lost(let connection) where connection.inARow < ConnectionHistory.manyInARow: nil
        case .lost(let connection) where connection.wasAnswered:
            "check the network to the broker, and in the broker's log whether another client has the same client identifier: "
                + Self.remedyForTwoOfOneName
        case .lost:
            "check the network to the broker, and in the broker's log whether it ends the connection itself: brokers do so"
                + " when this client's user may not write below its own topics: by deploy/mosquitto/users.py"
                + " mqtt.username has to be the gateway's place, SITE/BUILDING/FLOOR/GATEWAY"
        case .unanswered:
            "look into the broker's log: its memory or disk may be full, or its cluster without a majority. The connection "
                + "was given up, and what wasn't acknowledged is sent again"
        case .disconnected(Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue)):
            "another client has the same client identifier: " + Self.remedyForTwoOfOneName
        case .certificate(nil):
            "use the host name that the certificate was made for in mqtt.host, or renew the certificate with this one"
        case .certificate:
            "renew the broker's certificate, or name the CA that signed it in mqtt.tls.ca-file"
        case .credentials: "check the files that mqtt.tls names"
        case .encryption:
            "check that the port is one for TLS, and certificate-file, key-file (or psk-identity, psk-file) and ca-file of"
                + " mqtt.tls: a broker that wants a client's certificate refuses whoever has none"
        case .library(Int32(MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue)):
            "raise the broker's highest QoS (mosquitto: max_qos). Until then records wait in the outbox"
        case .disconnected: "look into the broker's log"
        case .closed:
            "look into the broker's log; if it speaks MQTT 3.1.1 alone, set mqtt.version to \"3.1.1\""
        case .breach:
            "check that a broker answers at mqtt.host and mqtt.port, and use TLS (mqtt.tls) to be sure which one"
        case .notStored: nil
        case .library, .system, .timedOut:
            "check mqtt.host and mqtt.port, and that the broker runs and the network lets through"
        }
    }

    public var exitStatus: ExitStatus { .unavailable }

    /// Whether the broker may speak an older version only: some say so, some just close the connection.
    var suggestsOlderVersion: Bool {
        switch cause {
        case .closed: true
        default: isRefusalOfVersion
        }
    }

    /// Whether the broker has said that it doesn't speak this version.
    var isRefusalOfVersion: Bool {
        guard case .refused(let reason) = cause else { return false }
        return Self.isVersion(reason)
    }

    private static func text(of breach: Breach) -> String {
        switch breach {
        case .secondConnectionAcknowledgement: "it accepted the same connection twice"
        case .unaskedSubscription: "it confirmed a subscription that nobody asked for"
        case .unsubscribedQualityOfService: "it sends messages with QoS 2, which nobody has subscribed to"
        }
    }

    /// What ends that two clients throw each other off the broker.
    static let remedyForTwoOfOneName =
        "give each gateway its own place.gateway, and each matcher its own mqtt.client-id; a copied card has the name of its "
        + "original"

    static func text(ofSystemError errorNumber: Int32) -> String { SystemError.text(errorNumber) }

    /// Whether the message is longer than what this broker takes.
    var isAboutSize: Bool { cause == .library(Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue)) }

    /// Whether the message itself can't be sent, also by another connection.
    var isAboutMessage: Bool {
        let statuses = [
            MOSQ_ERR_INVAL, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_OVERSIZE_PACKET,
        ]
        return statuses.contains { cause == .library(Int32($0.rawValue)) }
    }

    private static func isVersion(_ reason: Int32) -> Bool {
        reason == 1 || reason == Int32(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue)
    }

    /// Whether a reason to refuse a connection is the user's name or password, or what that user may do.
    public static func isDenial(_ reason: Int32) -> Bool {
        let denials = [MQTT_RC_BAD_USERNAME_OR_PASSWORD, MQTT_RC_NOT_AUTHORIZED].map { Int32($0.rawValue) }
        return [4, 5].contains(reason) || denials.contains(reason)
    }

    private static func text(ofRefusal reason: Int32) -> String {
        // Reasons of MQTT 3.1.1 end at 5, those of MQTT 5 begin at 128.
        reason < 128 ? String(cString: mosquitto_connack_string(reason)) : text(of: reason)
    }

    private static func text(of reason: Int32) -> String { String(cString: mosquitto_reason_string(reason)) }
}
