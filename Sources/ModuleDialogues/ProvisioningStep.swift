public import BeaconModel

/// What has been reached in the dialogue with a module; each is one line for the person who waits.
public enum ProvisioningStep: Equatable, Sendable {
    /// The boot loader answered to this byte.
    case handshake(UInt8)
    /// A module without a boot loader answers at this speed.
    case greeted(baudRate: Int)
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
    /// The module had refused to advertise in another way when it was provisioned, so that a central can stop it.
    case onlyConnectable
    /// The module listens to others.
    case listening
    /// It still does, although it may have heard nobody.
    case stillListening
    /// The module can't advertise and listen at once, so that it does the one after the other.
    case listeningInTurns
    /// The module doesn't take the command to listen.
    case listeningRefused(RS9116ErrorCode)
    /// The module does already what it shall, as it was read back.
    case unchanged
    /// The module carried the mark of its configuration and advertised; what it advertises can't be read back, so that it
    /// was sent again.
    case sentAgain(AdvertisingType, AdvertisingInterval)
    /// The module didn't take the name by which it could be asked later what it advertises.
    case markRefused(RS9116ErrorCode)
    /// The module advertises, but not with the transmit power that was asked for.
    case transmitPowerRefused(Int, RS9116ErrorCode)
    /// Something failed that a repetition may cure.
    case retrying(String)
}

extension ProvisioningStep {
    /// Whether the module did already what it shall.
    public var saysNoChange: Bool {
        switch self {
        case .unchanged, .sentAgain: true
        default: false
        }
    }
}

/// A module that does what it should.
public struct ProvisionedModule: Equatable, Sendable {
    public var address: BluetoothAddress
    public var firmware: String
    public var configuration: BeaconConfiguration
    public var advertisingType: AdvertisingType
    /// Whether it did so before, as far as the module can tell.
    public var isUnchanged: Bool

    public init(
        address: BluetoothAddress, firmware: String, configuration: BeaconConfiguration,
        advertisingType: AdvertisingType, isUnchanged: Bool
    ) {
        self.address = address
        self.firmware = firmware
        self.configuration = configuration
        self.advertisingType = advertisingType
        self.isUnchanged = isUnchanged
    }
}
