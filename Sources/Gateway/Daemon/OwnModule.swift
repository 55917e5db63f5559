import BeaconModel

/// A module of this gateway: its power and its address tell its packets from copies of them.
struct OwnModule: Equatable, Sendable {
    /// What it says of its power, dBm at 1 m.
    var measuredPower: Int8
    /// `nil` while it hasn't said who it is.
    var address: BluetoothAddress?
}
