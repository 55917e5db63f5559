public import BeaconModel

/// A step reached in the dialogue with a module; each is one line of progress output.
public enum ProvisioningStep: Equatable, Sendable {
    /// The boot loader answered this byte.
    case handshake(UInt8)
    /// A module without a boot loader answered at this speed.
    case greeted(baudRate: Int)
    /// The firmware was already running, in an unknown state; the module was reset.
    case resetting
    /// The boot loader printed a warning.
    case bootWarning(String)
    /// The firmware is loaded.
    case firmwareLoaded
    /// The firmware told its version.
    case firmwareVersion(String)
    /// Bluetooth is on.
    case bluetoothLoaded
    /// The module did not send `bt_loaded`; the dialogue uses Bluetooth anyway.
    case bluetoothUnconfirmed
    /// The module told its address.
    case address(BluetoothAddress)
    /// The module accepted the advertising data.
    case advertisingDataSet([UInt8])
    /// The module refused this advertising type; the next one is tried.
    case advertisingTypeRefused(AdvertisingType, RS9116ErrorCode)
    /// The module advertises.
    case advertising(AdvertisingType, AdvertisingInterval)
    /// The module had refused the other advertising type when it was provisioned, so a central can stop it.
    case onlyConnectable
    /// The module cannot advertise and listen at once, so it alternates.
    case listeningInTurns
    /// The module does not accept the command to listen.
    case listeningRefused(RS9116ErrorCode)
    /// The configuration read from the module is already correct.
    case unchanged
    /// The module held the fingerprint of its configuration and advertised. Its advertising data cannot be read back,
    /// so it was sent again.
    case sentAgain(AdvertisingType, AdvertisingInterval)
    /// The module did not accept the name that would later tell which configuration it has.
    case markRefused(RS9116ErrorCode)
    /// The module advertises, but not with the requested transmit power.
    case transmitPowerRefused(Int, RS9116ErrorCode)
    /// A step failed and is repeated.
    case retrying(String)
}

extension ProvisioningStep {
    /// Whether the module already did what it should.
    public var saysNoChange: Bool {
        switch self {
        case .unchanged, .sentAgain: true
        default: false
        }
    }
}

/// A module that advertises what it was assigned.
public struct ProvisionedModule: Equatable, Sendable {
    /// The module's Bluetooth address.
    public var address: BluetoothAddress
    /// The module's firmware version.
    public var firmware: String
    /// The identity and parameters that it advertises.
    public var configuration: BeaconConfiguration
    /// The type of advertising in use.
    public var advertisingType: AdvertisingType
    /// Whether it already did so before, as far as the module can tell.
    public var isUnchanged: Bool

    /// Creates a value from its parts.
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
