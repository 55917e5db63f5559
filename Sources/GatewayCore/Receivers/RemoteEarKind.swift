package import Proximity

/// The software of a node that listens elsewhere and publishes by MQTT what it hears.
///
/// Topics, payloads and intervals are those of ESPresense 3 and 4 (github.com/ESPresense/ESPresense,
/// `main/BleFingerprint.cpp`, `main/main.cpp`, `include/defaults.h`), OpenMQTTGateway 1.7 and later
/// (github.com/1technophile/OpenMQTTGateway, `main/ZgatewayBT.cpp`, `main/config_BT.h`) and Theengs Gateway 1
/// (github.com/theengs/gateway, `config.py`), whose decoder is github.com/theengs/decoder.
package enum RemoteEarKind: String, CaseIterable, Sendable {
    case espresense, openmqttgateway, theengs
    /// A module of this gateway that listens: it doesn't speak by MQTT but by its serial line.
    case module

    /// Those that speak by MQTT.
    package static let nodes: [Self] = [.espresense, .openmqttgateway, .theengs]

    /// The node's own name in its topics where none is given; `nil`: that of the ear.
    var defaultNode: String? {
        switch self {
        case .espresense, .module: nil
        case .openmqttgateway: "OpenMQTTGateway"
        case .theengs: "TheengsGateway"
        }
    }

    /// Where a node publishes whom it hears.
    package func devicesTopic(of node: String) -> String {
        switch self {
        case .espresense: "espresense/devices/+/\(node)"
        case .openmqttgateway, .theengs: "home/\(node)/BTtoMQTT/+"
        case .module: ""
        }
    }

    /// Where it says `online`, and the broker `offline` in its place.
    package func statusTopic(of node: String) -> String? {
        switch self {
        case .espresense: "espresense/rooms/\(node)/status"
        case .openmqttgateway, .theengs: "home/\(node)/LWT"
        case .module: nil
        }
    }

    /// Where it says every 15 s how many advertisements it has received.
    package func telemetryTopic(of node: String) -> String? {
        switch self {
        case .espresense: "espresense/rooms/\(node)/telemetry"
        case .openmqttgateway, .theengs, .module: nil
        }
    }

    /// When a silence says that somebody has left, before that is learnt.
    ///
    /// A node tells of a beacon that is there not at each advertisement, but:
    /// * ESPresense every 5 s (`skip_ms`) while it hardly moves, and sooner when it does. The assumed silence is six of
    ///   these, the shortest three, so that the quick reports of somebody who walks don't make it too short for when
    ///   he stands still;
    /// * OpenMQTTGateway once in a scan of 10 s that follows a pause of 55.6 s: the assumed silence is three such
    ///   rounds. When it finds a sensor that needs it, it scans all the time;
    /// * Theengs Gateway in scans of 7 s with pauses of 5 s: five rounds.
    package var silence: InteractionRules.Silence {
        var silence = InteractionRules.Silence()
        switch self {
        case .espresense: (silence.assumed, silence.shortest) = (.seconds(30), .seconds(15))
        case .openmqttgateway: (silence.assumed, silence.shortest) = (.seconds(200), .seconds(30))
        case .theengs: (silence.assumed, silence.shortest) = (.seconds(60), .seconds(30))
        // It tells of every advertisement that it receives, as an adapter does.
        case .module: break
        }
        return silence
    }
}
