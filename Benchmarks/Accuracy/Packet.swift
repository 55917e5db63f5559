/// One reception.
struct Packet: Equatable, Sendable {
    /// Seconds since any moment that is the same for a recording.
    var time: Double
    /// dBm.
    var rssi: Double
}
