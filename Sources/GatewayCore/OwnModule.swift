package import BeaconModel

/// A module of this gateway: its power and its address tell its packets from copies of them.
package struct OwnModule: Equatable, Sendable {
    /// What it says of its power, dBm at 1 m.
    package var measuredPower: Int8
    /// `nil` while it hasn't said who it is.
    package var address: BluetoothAddress?

    package init(measuredPower: Int8, address: BluetoothAddress? = nil) {
        self.measuredPower = measuredPower
        self.address = address
    }
}
