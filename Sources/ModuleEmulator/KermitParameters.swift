/// Parameters negotiated with the sender's first packet.
struct KermitParameters: Equatable, Sendable {
    /// Byte that ends our packets.
    var endOfLine: UInt8 = 0x0D
    /// Prefix that the sender uses for control characters.
    var controlPrefix = UInt8(ascii: "#")
    /// Prefix that the sender uses for bytes above 127; `nil` on a line that transmits eight bits.
    var eighthBitPrefix: UInt8?

    init() {}

    /// - Parameter data: the data of the sender's first packet: maximum packet length, timeout, padding, padding
    ///   character, end of line, control prefix, eighth-bit prefix, and further fields that this receiver does not
    ///   support.
    init(_ data: [UInt8]) {
        if data.count > 4, let character = KermitPacket.number(data[4]), character < 32 { endOfLine = character }
        if data.count > 5, Self.isPrefix(data[5]) { controlPrefix = data[5] }
        // `Y` offers to use a prefix if required; `N` refuses.
        if data.count > 6, Self.isPrefix(data[6]), data[6] != controlPrefix { eighthBitPrefix = data[6] }
    }

    /// Data of the answer: packets of 94 bytes, no padding, block check 1, no repeat counts, no capabilities.
    var reply: [UInt8] {
        let eighthBit = UInt8(ascii: eighthBitPrefix == nil ? "N" : "Y")
        return [
            KermitPacket.printable(KermitPacket.longest), KermitPacket.printable(5), KermitPacket.printable(0), 0x40,
            KermitPacket.printable(0x0D), UInt8(ascii: "#"), eighthBit, UInt8(ascii: "1"), UInt8(ascii: " "),
        ]
    }

    /// Decodes the data of a packet.
    ///
    /// - Returns: the bytes; `nil` when the data ends with a prefix.
    func decode(_ data: [UInt8], _ prefixing: RS9116Emulator.Options.KermitPrefixing) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(data.count)
        var eighthBit: UInt8 = 0
        var isQuoted = false
        for byte in data {
            if isQuoted {
                let isControl = prefixing == .alwaysControl || (0x3F...0x5F).contains(byte & 0x7F)
                decoded.append((isControl ? byte ^ 0x40 : byte) | eighthBit)
                isQuoted = false
                eighthBit = 0
            } else if byte == eighthBitPrefix, eighthBit == 0 {
                eighthBit = 0x80
            } else if byte == controlPrefix {
                isQuoted = true
            } else {
                decoded.append(byte | eighthBit)
                eighthBit = 0
            }
        }
        if isQuoted || eighthBit != 0 { return nil }
        return decoded
    }

    private static func isPrefix(_ character: UInt8) -> Bool {
        (33...62).contains(character) || (96...126).contains(character)
    }
}
