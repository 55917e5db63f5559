import BeaconModel

/// A device that advertises an iBeacon. Several devices can advertise the same one.
struct BeaconTransmitter: Hashable {
    var beacon: BeaconID
    var address: BluetoothAddress
}
