/// A packet of the Kermit protocol with block check type 1 (da Cruz, "Kermit Protocol Manual", 6th edition).
struct KermitPacket: Equatable, Sendable {
    /// Sequence number, 0 to 63.
    var sequence: UInt8
    /// Packet type, an ASCII letter.
    var type: UInt8
    /// Encoded data, at most 91 bytes.
    var data: [UInt8]

    static let mark: UInt8 = 0x01
    /// Maximum value of the length field of a packet that is not extended.
    static let longest: UInt8 = 94

    /// Returns the encoded packet, from the mark to the end of line.
    func encoded(endOfLine: UInt8) -> [UInt8] {
        let body = [Self.printable(UInt8(clamping: data.count + 3)), Self.printable(sequence), type] + data
        return [Self.mark] + body + [Self.check(of: body), endOfLine]
    }

    /// Returns the block check: the arithmetic sum of the bytes from the length to the data, with its upper bits folded
    /// into six.
    static func check(of body: some Sequence<UInt8>) -> UInt8 {
        let sum = body.reduce(0 as UInt8) { $0 &+ $1 }
        return printable((sum &+ (sum & 0xC0) >> 6) & 0x3F)
    }

    /// Encodes a small number as a printable character.
    static func printable(_ value: UInt8) -> UInt8 { value &+ 32 }

    /// Decodes the number that a printable character represents. Returns `nil` for other characters.
    static func number(_ character: UInt8) -> UInt8? { (32...126).contains(character) ? character - 32 : nil }
}

/// Splits bytes into packets. Bytes between packets are ignored.
struct KermitPacketInput: Sendable {
    package enum Arrival: Equatable, Sendable {
        case packet(KermitPacket)
        case damaged

        /// Whether the sender aborts the transfer.
        var isAbortion: Bool { if case .packet(let packet) = self { packet.type == UInt8(ascii: "E") } else { false } }
    }

    /// Bytes of the current packet from the length on; `nil` between packets.
    private var body: [UInt8]?

    mutating func append(_ byte: UInt8) -> Arrival? {
        // Within a packet each control character is prefixed, so this must be the next mark.
        guard byte != KermitPacket.mark else {
            body = []
            return nil
        }
        guard body != nil else { return nil }
        body?.append(byte)
        guard let body, let first = body.first else { return nil }
        guard let length = KermitPacket.number(first), (3...KermitPacket.longest).contains(length) else {
            self.body = nil
            return .damaged
        }
        guard body.count == Int(length) + 1 else { return nil }
        self.body = nil
        let content = body.dropLast()
        guard KermitPacket.check(of: content) == body.last, let sequence = KermitPacket.number(body[1]), sequence < 64
        else { return .damaged }
        return .packet(KermitPacket(sequence: sequence, type: body[2], data: Array(content.dropFirst(3))))
    }
}
