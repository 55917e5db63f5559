/// The reason why a command failed (section 7).
enum CommandError: Error, Equatable {
    /// An error code of the common firmware. Its format on the serial line is an option.
    case common(UInt16)
    /// A Bluetooth error code, always sent in ASCII.
    case bluetooth(UInt16)

    static let invalidOperatingMode = CommandError.common(0x001B)
    static let wrongState = CommandError.common(0x0021)
    static let wrongParameters = CommandError.common(0x0026)
    static let invalidLength = CommandError.common(0x003E)
    static let invalidCommand = CommandError.common(0xFFF8)

    static let unableToChangeState = CommandError.bluetooth(0x4D03)
    static let notConnected = CommandError.bluetooth(0x4D04)
    static let powerOutOfRange = CommandError.bluetooth(0x4D14)
    static let unsupportedPowerIndex = CommandError.bluetooth(0x4D15)
    static let disallowed = CommandError.bluetooth(0x4E0C)
    static let unsupportedFeature = CommandError.bluetooth(0x4E11)
    static let invalidHCIParameter = CommandError.bluetooth(0x4E12)
    static let invalidParameters = CommandError.bluetooth(0x4E62)
    static let nameTooLong = CommandError.bluetooth(0x4E66)
    static let invalidBluetoothCommand = CommandError.bluetooth(0x4FF8)

    /// Returns the complete reply.
    func reply(_ form: RS9116Emulator.Options.CommonErrorForm) -> [UInt8] {
        switch (self, form) {
        case (.common(let code), .binary):
            return Array("ERROR".utf8) + [UInt8(code & 0xFF), UInt8(code >> 8), 0x0D, 0x0A]
        case (.common(let code), .ascii), (.bluetooth(let code), _):
            let digits = String(code, radix: 16, uppercase: true)
            return Array("ERROR \(String(repeating: "0", count: 4 - digits.count))\(digits)\r\n".utf8)
        }
    }
}
