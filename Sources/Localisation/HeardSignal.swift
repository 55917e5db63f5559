/// What one receiver heard of a subject in one window of time.
package struct HeardSignal: Equatable, Sendable {
    /// Index of the receiver in the model.
    package var receiver: Int
    /// Mean RSSI in dBm.
    package var rssi: Double
    /// Number of advertisements; at least 1.
    package var count: Int

    package init(receiver: Int, rssi: Double, count: Int = 1) {
        self.receiver = receiver
        self.rssi = rssi
        self.count = count
    }
}
