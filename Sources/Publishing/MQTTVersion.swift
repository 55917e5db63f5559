/// The MQTT version of a connection.
package enum MQTTVersion: String, Codable, Sendable {
    case five = "5"
    case threeOneOne = "3.1.1"
}
