/// A version of MQTT that a connection speaks.
package enum MQTTVersion: String, Codable, Sendable {
    case five = "5"
    case threeOneOne = "3.1.1"
}
