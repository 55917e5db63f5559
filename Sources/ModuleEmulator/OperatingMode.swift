/// Parameters of `at+rsi_opermode` that concern Bluetooth (4.1).
struct OperatingMode: Equatable, Sendable {
    enum Bluetooth: Equatable, Sendable {
        case none
        /// Classic or dual mode: there is a stack, but no BLE in AT mode.
        case classic
        case lowEnergy
    }

    let bluetooth: Bluetooth
    /// Transmit power: bits 16 to 23 of the eighth field.
    let transmitPower: UInt32

    /// Transmit power in Silicon Labs' scripts.
    static let usualTransmitPower: UInt32 = 31

    /// The mode of Silicon Labs' BLE scripts: 851968, WLAN client and BLE.
    static let lowEnergy = OperatingMode(bluetooth: .lowEnergy)

    private init(bluetooth: Bluetooth) {
        self.bluetooth = bluetooth
        transmitPower = Self.usualTransmitPower
    }

    init(_ fields: [ArraySlice<UInt8>]) throws(CommandError) {
        guard let first = fields.first else { throw .invalidCommand }
        guard let mode = decimal(first) else { throw .invalidOperatingMode }
        guard fields.count <= 10, let numbers = decimals(fields) else { throw .wrongParameters }
        transmitPower = numbers.count > 7 ? numbers[7] >> 16 & 0xFF : Self.usualTransmitPower
        // Client, Wi-Fi Direct, enterprise client, access point, test, concurrent.
        guard [0, 1, 2, 6, 8, 9].contains(mode & 0xFFFF) else { throw .invalidOperatingMode }
        switch mode >> 16 {
        case 0, 1: bluetooth = .none
        case 4, 5, 8, 9: bluetooth = .classic
        case 12, 13: bluetooth = .lowEnergy
        default: throw .invalidOperatingMode
        }
    }
}
