public import BeaconModel

/// What has been reached in the dialogue with a module; each is one line for the person who waits.
public enum ProvisioningStep: Equatable, Sendable {
    /// The boot loader answered to this byte.
    case handshake(UInt8)
    /// The module's firmware was running already, in an unknown state; it was told to reset.
    case resetting
    case bootWarning(String)
    case firmwareLoaded
    case firmwareVersion(String)
    case bluetoothLoaded
    /// The module never said `bt_loaded`; its Bluetooth is tried all the same.
    case bluetoothUnconfirmed
    case address(BluetoothAddress)
    case advertisingDataSet([UInt8])
    /// The module refused to advertise in this way; the next one is tried.
    case advertisingTypeRefused(AdvertisingType, RS9116ErrorCode)
    case advertising(AdvertisingType, AdvertisingInterval)
    /// Something failed that a repetition may cure.
    case retrying(String)
}

/// A module that does what it should.
public struct ProvisionedModule: Equatable, Sendable {
    public var address: BluetoothAddress
    public var firmware: String
    public var advertisingType: AdvertisingType
    public var advertisingData: [UInt8]

    public init(
        address: BluetoothAddress, firmware: String, advertisingType: AdvertisingType, advertisingData: [UInt8]
    ) {
        self.address = address
        self.firmware = firmware
        self.advertisingType = advertisingType
        self.advertisingData = advertisingData
    }
}
