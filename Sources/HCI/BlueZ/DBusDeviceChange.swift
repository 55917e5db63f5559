import BeaconModel

/// What one message of bluetoothd tells of one device.
package struct DBusDeviceChange: Equatable, Sendable {
    package var told = DBusAdvertisement()
    /// Names of the properties that are no longer valid.
    package var withdrawn: [String] = []

    package init() {}
}
