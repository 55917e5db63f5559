/// A firmware file that the bootloader accepts, with a body of our own.
enum TestFirmware {
    /// - Parameter crc: over the whole file with the CRC field zeroed; `nil` computes it.
    static func file(
        body: [UInt8], flags: UInt16 = 0x8000, extendedVersion: [UInt8] = [0, 0, 0x10, 0x16], crc: UInt32? = nil
    ) -> [UInt8] {
        let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
        let magic: [UInt8] = [0x0D, 0x90, 0x0D, 0x90]
        let start = [UInt8(flags & 0xFF), UInt8(flags >> 8), 0, 0] + magic + size + [3, 0, 0x0C, 2]
        var file = start + [0, 0x10, 1, 0] + [UInt8](repeating: 0, count: 24) + extendedVersion
        file += [UInt8](repeating: 0, count: 12) + magic + body
        let crc = crc ?? slowCRC(of: file)
        for index in 0..<4 { file[0x14 + index] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(index))) }
        return file
    }

    /// Bit by bit, with the polynomial as it is printed: independent of the emulator's table.
    static func slowCRC(of bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0
        for byte in bytes {
            for bit in 0..<8 {
                let feedback = crc >> 31 ^ UInt32(byte >> UInt8(bit) & 1)
                crc = crc << 1 ^ (feedback == 1 ? 0xD95E_AAE5 : 0)
            }
        }
        return (0..<32).reduce(0) { $0 | (crc >> UInt32($1) & 1) << UInt32(31 - $1) }
    }

    /// All byte values, each after each other distance, and what looks like Kermit's prefixes.
    static var body: [UInt8] {
        let values = (0..<100).flatMap { step in (0..<256).map { UInt8(truncatingIfNeeded: $0 * (2 * step + 1)) } }
        return values + Array("###&&&~~~#&~##$$\r\n\u{1A}\u{3}AAAAAAAAAAAAAAAAAAAA".utf8)
    }
}

/// A sender of the plainest kind.
struct TestKermitSender {
    var sequence: UInt8 = 0
    /// The packets of one file, acknowledged or not.
    static func packets(_ file: [UInt8], alwaysControl: Bool = false) -> [[UInt8]] {
        var sender = TestKermitSender()
        var packets = [sender.packet("S", Array("~% @-#N1 ".utf8)), sender.packet("F", Array("FIRMWARE.RPS".utf8))]
        var data: [UInt8] = []
        for byte in file {
            let encoded = encode(byte, alwaysControl: alwaysControl)
            if data.count + encoded.count > 91 {
                packets.append(sender.packet("D", data))
                data = []
            }
            data += encoded
        }
        packets.append(sender.packet("D", data))
        return packets + [sender.packet("Z"), sender.packet("B")]
    }

    mutating func packet(_ type: Character, _ data: [UInt8] = []) -> [UInt8] {
        defer { sequence = (sequence + 1) % 64 }
        return Self.packet(sequence, type, data)
    }

    static func packet(_ sequence: UInt8, _ type: Character, _ data: [UInt8] = []) -> [UInt8] {
        let body = [UInt8(data.count + 35), sequence + 32, type.asciiValue ?? 0] + data
        let sum = body.reduce(0) { $0 + Int($1) }
        return [1] + body + [UInt8((sum + (sum & 0xC0) / 64) & 0x3F) + 32, 13]
    }

    static func encode(_ byte: UInt8, alwaysControl: Bool = false) -> [UInt8] {
        switch byte & 0x7F {
        case 0..<32, 127: [UInt8(ascii: "#"), byte ^ 64]
        case UInt8(ascii: "#") where alwaysControl: [UInt8(ascii: "#"), byte ^ 64]
        case UInt8(ascii: "#"): [UInt8(ascii: "#"), byte]
        default: [byte]
        }
    }
}
