/// iBeacons that exist nowhere else.
enum MadeUpBeacon {
    /// Flags, and Apple's manufacturer data of 25 bytes: type and length, UUID, major, minor, measured power.
    static let prefix: [UInt8] = [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15]
    private static let uuid: [UInt8] = [
        0x5E, 0x1F, 0xC0, 0xDE, 0x0A, 0x4D, 0x4F, 0x6E, 0x9C, 0x3A, 0x7D, 0x2F, 0x18, 0xE6, 0x54, 0x02,
    ]
    private static let measuredPower = UInt8(bitPattern: -59)

    /// Major 9, and its number as minor; its address is a random static one.
    static func advertisement(number: Int) -> Advertisement {
        let minor = UInt16(truncatingIfNeeded: number)
        let data = prefix + uuid + [0, 9, UInt8(minor >> 8), UInt8(minor & 0xFF), measuredPower]
        let address: [UInt8] = [UInt8(minor & 0xFF), UInt8(minor >> 8), 0x33, 0x22, 0x11, 0xC2]
        return Advertisement(
            address: Address(type: 1, bytes: address), kind: .nonconnectable, rssi: Int8(-40 - number % 50), data: data)
    }
}
