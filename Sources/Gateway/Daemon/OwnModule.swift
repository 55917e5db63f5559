import BeaconModel

/// What is known of one of our own modules, by which its packets are told from copies of them.
struct OwnModule: Equatable, Sendable {
    /// What it says of its power, dBm at 1 m.
    var measuredPower: Int8
    /// `nil` while it hasn't said who it is.
    var address: BluetoothAddress?
}
