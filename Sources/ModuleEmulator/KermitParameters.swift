/// What both sides agree on by the sender's first packet.
struct KermitParameters: Equatable, Sendable {
    /// What ends our packets.
    var endOfLine: UInt8 = 0x0D
    /// What the sender puts before control characters.
    var controlPrefix = UInt8(ascii: "#")
    /// What the sender puts before bytes above 127; `nil` on a line that is clean for eight bits.
    var eighthBitPrefix: UInt8?

    init() {}

    /// - Parameter data: of the sender's first packet: the longest packet, the timeout, the padding, its character,
    ///   the end of line, the control prefix, the eighth-bit prefix and more that this receiver doesn't have.
    init(_ data: [UInt8]) {
        if data.count > 4, let character = KermitPacket.number(data[4]), character < 32 { endOfLine = character }
        if data.count > 5, Self.isPrefix(data[5]) { controlPrefix = data[5] }
        // `Y` offers to do it if we must, `N` refuses.
        if data.count > 6, Self.isPrefix(data[6]), data[6] != controlPrefix { eighthBitPrefix = data[6] }
    }

    /// The answer: packets of 94, no padding, block check 1, no repeat counts, no capabilities.
    var reply: [UInt8] {
        let eighthBit = UInt8(ascii: eighthBitPrefix == nil ? "N" : "Y")
        return [
            KermitPacket.printable(KermitPacket.longest), KermitPacket.printable(5), KermitPacket.printable(0), 0x40,
            KermitPacket.printable(0x0D), UInt8(ascii: "#"), eighthBit, UInt8(ascii: "1"), UInt8(ascii: " "),
        ]
    }

    /// - Returns: `nil` when a prefix is the last byte.
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
