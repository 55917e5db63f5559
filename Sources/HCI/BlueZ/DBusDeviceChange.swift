import BeaconModel

/// Changes to one device in one message from bluetoothd.
package struct DBusDeviceChange: Equatable, Sendable {
    package var told = DBusAdvertisement()
    /// Names of the properties that are no longer valid.
    package var withdrawn: [String] = []

    package init() {}
}
