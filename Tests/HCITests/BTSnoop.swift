import BeaconModel

/// Btsnoop files, written from the format's description (RFC 1761, Linux monitor: BlueZ `doc/btsnoop.txt`).
enum BTSnoop {
    static let h4: UInt32 = 1002
    static let monitor: UInt32 = 2001
    /// 2000-01-01T00:00:00Z, as BlueZ's `src/shared/btsnoop.c` has it.
    private static let year2000: Int64 = 0x00E0_3AB4_4A67_6000

    static func header(version: UInt32 = 1, datalink: UInt32 = h4) -> [UInt8] {
        Array("btsnoop\0".utf8) + bigEndian(version) + bigEndian(datalink)
    }

    /// - Parameters:
    ///   - time: microseconds since 2000-01-01T00:00:00Z.
    ///   - original: the length before the recorder cut the packet off.
    static func record(_ packet: [UInt8], flags: UInt32 = 3, time: Int64 = 0, original: Int? = nil) -> [UInt8] {
        bigEndian(UInt32(original ?? packet.count)) + bigEndian(UInt32(packet.count)) + bigEndian(flags)
            + bigEndian(UInt32(0)) + bigEndian(UInt64(bitPattern: year2000 + time)) + packet
    }

    static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
