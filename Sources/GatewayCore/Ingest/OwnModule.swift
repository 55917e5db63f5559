package import BeaconModel

/// A module of this gateway. Its power and its address distinguish its packets from copies.
package struct OwnModule: Equatable, Sendable {
    /// Measured power that the module advertises, in dBm at 1 m.
    package var measuredPower: Int8
    /// Address of the module; `nil` until the module has reported it.
    package var address: BluetoothAddress?

    package init(measuredPower: Int8, address: BluetoothAddress? = nil) {
        self.measuredPower = measuredPower
        self.address = address
    }
}
