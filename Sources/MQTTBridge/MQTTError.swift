public import BeaconModel
import CMosquitto
import SystemIO

/// What can go wrong between this process and the broker.
public struct MQTTError: OperatorError, Equatable {
    public enum Cause: Equatable, Sendable {
        /// A status of libmosquitto.
        case library(Int32)
        /// The reason in the broker's CONNACK (MQTT 3.1.1, section 3.2.2.3).
        case refused(Int32)
        /// The reason of a system call's failure.
        case system(Int32)
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
        case .library(let status):
            "broker \(broker): \(String(cString: mosquitto_strerror(status))) (libmosquitto \(status))"
        case .refused(let reason): "broker \(broker) refused: \(String(cString: mosquitto_connack_string(reason)))"
        case .system(let errorNumber): "broker \(broker): \(SystemError.text(errorNumber))"
        }
    }

    public var remedy: String? {
        switch cause {
        case .refused(4), .refused(5): "check mqtt.username and mqtt.password-file, and the broker's access list"
        case .refused: nil
        case .library, .system: "check mqtt.host and mqtt.port, and that the broker runs and the network lets through"
        }
    }

    public var exitStatus: ExitStatus { .unavailable }
}
