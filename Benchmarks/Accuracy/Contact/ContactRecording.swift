/// One packet of a scenario in which everybody hears everybody.
struct ContactPacket: Sendable {
    /// Seconds since the scenario began.
    var time: Double
    /// dBm.
    var rssi: Double
    /// Indices of the scenario's people.
    var receiver: Int
    var transmitter: Int
    /// dBm, as the recording says.
    var power: Double?
    /// The truth at that moment, where it is known.
    var metres: Double?
}

/// One scenario of DP-3T.
struct ContactRecording: Sendable {
    var dataSet: String
    var scenario: String
    /// Names, the same in all scenarios of a data set.
    var people: [String]
    /// In the order of time.
    var packets: [ContactPacket]
    /// Seconds.
    var length: Double { packets.last?.time ?? 0 }
}
