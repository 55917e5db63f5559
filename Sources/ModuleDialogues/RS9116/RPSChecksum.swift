/// The CRC-32 of firmware images: polynomial 0xD95EAAE5, reflected, initial value and final exclusive-or 0.
package enum RPSChecksum {
    /// The polynomial 0xD95EAAE5 with its bits reversed.
    private static let polynomial: UInt32 = 0xA755_7A9B

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { remainder, _ in remainder & 1 == 1 ? remainder >> 1 ^ polynomial : remainder >> 1 }
    }

    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var checksum: UInt32 = 0
        for byte in bytes { checksum = checksum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] }
        return checksum
    }
}
