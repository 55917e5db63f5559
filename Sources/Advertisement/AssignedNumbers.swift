/// AD types (Bluetooth SIG, "Assigned Numbers", section 2.3).
enum ADType {
    static let flags: UInt8 = 0x01
    static let incompleteList16Bit: UInt8 = 0x02
    static let completeList16Bit: UInt8 = 0x03
    static let incompleteList128Bit: UInt8 = 0x06
    static let completeList128Bit: UInt8 = 0x07
    static let shortenedLocalName: UInt8 = 0x08
    static let completeLocalName: UInt8 = 0x09
    static let serviceData16Bit: UInt8 = 0x16
    static let serviceData32Bit: UInt8 = 0x20
    static let serviceData128Bit: UInt8 = 0x21
    static let manufacturerSpecificData: UInt8 = 0xFF
}

/// Company identifiers (Bluetooth SIG, "Assigned Numbers", section 7.1).
enum CompanyID {
    static let apple: UInt16 = 0x004C
    static let microsoft: UInt16 = 0x0006
}

/// 16-bit service UUIDs (Bluetooth SIG, "Assigned Numbers", section 3.10).
enum ServiceID {
    static let exposureNotification: UInt16 = 0xFD6F
    static let eddystone: UInt16 = 0xFEAA
    /// Service UUID of the Linux Foundation, used by Herald since version 2.1.
    static let herald: UInt16 = 0xFCF6
}
