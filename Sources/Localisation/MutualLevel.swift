/// How loudly one receiver hears the beacon of another one.
package struct MutualLevel: Equatable, Sendable {
    /// Path of the receiver whose beacon is heard: the beacon hangs where the receiver does.
    package var beacon: String
    /// Path of the receiver that hears it.
    package var receiver: String
    /// Mean RSSI in dBm.
    package var rssi: Double
    /// Number of minutes in which it was heard.
    package var minutes: Int

    package init(beacon: String, receiver: String, rssi: Double, minutes: Int) {
        self.beacon = beacon
        self.receiver = receiver
        self.rssi = rssi
        self.minutes = minutes
    }
}
