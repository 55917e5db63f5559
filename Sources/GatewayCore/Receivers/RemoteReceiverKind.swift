package import Proximity

/// The software of a remote receiver that publishes by MQTT what it hears.
///
/// Topics, payloads and intervals are those of ESPresense 3 and 4 (github.com/ESPresense/ESPresense,
/// `main/BleFingerprint.cpp`, `main/main.cpp`, `include/defaults.h`), OpenMQTTGateway 1.7 and later
/// (github.com/1technophile/OpenMQTTGateway, `main/ZgatewayBT.cpp`, `main/config_BT.h`) and Theengs Gateway 1
/// (github.com/theengs/gateway, `config.py`), whose decoder is github.com/theengs/decoder.
package enum RemoteReceiverKind: String, CaseIterable, Sendable {
    case espresense, openmqttgateway, theengs
    /// A listening module of this gateway, which reports on its serial line and not by MQTT.
    case module

    /// Kinds that publish by MQTT.
    package static let nodes: [Self] = [.espresense, .openmqttgateway, .theengs]

    /// Default name of the node in its topics; `nil`: the name of the remote receiver.
    var defaultNode: String? {
        switch self {
        case .espresense, .module: nil
        case .openmqttgateway: "OpenMQTTGateway"
        case .theengs: "TheengsGateway"
        }
    }

    /// Returns the topic filter of the devices that a node hears.
    package func devicesTopic(of node: String) -> String {
        switch self {
        case .espresense: "espresense/devices/+/\(node)"
        case .openmqttgateway, .theengs: "home/\(node)/BTtoMQTT/+"
        case .module: ""
        }
    }

    /// Returns the topic on which the node publishes `online`, and the broker `offline` on its behalf.
    package func statusTopic(of node: String) -> String? {
        switch self {
        case .espresense: "espresense/rooms/\(node)/status"
        case .openmqttgateway, .theengs: "home/\(node)/LWT"
        case .module: nil
        }
    }

    /// Returns the topic on which the node publishes every 15 s how many advertisements it has received.
    package func telemetryTopic(of node: String) -> String? {
        switch self {
        case .espresense: "espresense/rooms/\(node)/telemetry"
        case .openmqttgateway, .theengs, .module: nil
        }
    }

    /// Silences that count as a departure until the tracker has learned better ones.
    ///
    /// A node does not report a present beacon at each advertisement, but:
    /// * ESPresense reports every 5 s (`skip_ms`) while the beacon hardly moves, and sooner when it moves. The assumed
    ///   silence is six such intervals and the shortest is three, so that the quick reports of a walking subject do not
    ///   make the silence too short for when the subject stands still;
    /// * OpenMQTTGateway reports once in a scan of 10 s that follows a pause of 55.6 s. The assumed silence is three
    ///   such rounds. When it finds a sensor that needs it, it scans all the time;
    /// * Theengs Gateway scans for 7 s with pauses of 5 s. The assumed silence is five rounds.
    package var silence: InteractionRules.Silence {
        var silence = InteractionRules.Silence()
        switch self {
        case .espresense: (silence.assumed, silence.shortest) = (.seconds(30), .seconds(15))
        case .openmqttgateway: (silence.assumed, silence.shortest) = (.seconds(200), .seconds(30))
        case .theengs: (silence.assumed, silence.shortest) = (.seconds(60), .seconds(30))
        // A module reports every advertisement that it receives, as an adapter does.
        case .module: break
        }
        return silence
    }
}
