/// Observes the bytes of a Kermit transfer: its progress and the module's messages.
///
/// It understands basic packets with block check 1 and neither windows nor repeat counts (da Cruz, "Kermit Protocol
/// Manual", 6th edition). It decodes nothing and ignores everything else on the line.
package struct KermitObserver: Sendable {
    /// Number of file bytes in the packets sent so far. Each packet counts once.
    package private(set) var fileBytes = 0
    /// Number of retransmitted packets.
    package private(set) var repetitions = 0
    /// The reason that the module gave for ending the transfer.
    package private(set) var complaint: String?

    private var sent = PacketInput()
    private var heard = PacketInput()
    /// Sequence number of the last packet sent.
    private var sequence: UInt8?

    package init(fileBytes: Int = 0, repetitions: Int = 0, complaint: String? = nil, sequence: UInt8? = nil) {
        self.fileBytes = fileBytes
        self.repetitions = repetitions
        self.complaint = complaint
        self.sequence = sequence
    }

    private static let mark: UInt8 = 0x01
    /// Maximum length of a packet, from the mark to the check.
    private static let longestPacket = 96
    private static let controlPrefix = UInt8(ascii: "#")

    /// Processes bytes from the sender to the module.
    package mutating func send(_ bytes: [UInt8]) {
        for byte in bytes {
            guard let packet = sent.append(byte) else { continue }
            guard packet.sequence != sequence else {
                repetitions += 1
                continue
            }
            sequence = packet.sequence
            if packet.type == UInt8(ascii: "D") { fileBytes += Self.decodedCount(packet.data) }
        }
    }

    /// Processes bytes from the module to the sender.
    package mutating func hear(_ bytes: [UInt8]) {
        for byte in bytes {
            guard let packet = heard.append(byte), packet.type == UInt8(ascii: "E") else { continue }
            complaint = String(decoding: packet.data.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
        }
    }

    /// A packet that asks the sender to repeat its last packet; `nil` before the first packet.
    package var repeatRequest: [UInt8]? { sequence.map { Self.packet($0, "N") } }

    /// A packet that tells the module that the transfer is over without success. It has sequence number 0 before the
    /// first packet, or when this observer has not seen the transfer.
    package var abortion: [UInt8] { Self.packet(sequence ?? 0, "E", "interrupted") }

    private static func packet(_ sequence: UInt8, _ type: Unicode.Scalar, _ text: StaticString = "") -> [UInt8] {
        let data = text.withUTF8Buffer { Array($0) }
        let body = [UInt8(clamping: data.count + 35), sequence & 63 + 32, UInt8(ascii: type)] + data
        let sum = body.reduce(0 as UInt8) { $0 &+ $1 }
        // After a packet with a damaged length, the module may be waiting for as many bytes as a packet can have.
        return Array(repeating: 0x0D, count: longestPacket) + [mark] + body + [
            (sum &+ (sum & 0xC0) >> 6) & 0x3F + 32, 0x0D,
        ]
    }

    private static func decodedCount(_ data: ArraySlice<UInt8>) -> Int {
        var isPrefixed = false
        return data.reduce(0) { count, byte in
            if !isPrefixed, byte == controlPrefix {
                isPrefixed = true
                return count
            }
            isPrefixed = false
            return count + 1
        }
    }
}

/// Extracts packets from a byte stream.
private struct PacketInput: Sendable {
    package struct Packet {
        var sequence: UInt8
        var type: UInt8
        var data: ArraySlice<UInt8>
    }

    /// The packet so far, starting with its length; `nil` outside a packet.
    private var packet: [UInt8]?

    mutating func append(_ byte: UInt8) -> Packet? {
        // A mark inside a packet begins the next packet, because data never contains one.
        if byte == 0x01 {
            packet = []
            return nil
        }
        guard packet != nil else { return nil }
        packet?.append(byte)
        guard let packet, let length = packet.first else { return nil }
        guard (35...126).contains(length) else {
            self.packet = nil
            return nil
        }
        guard packet.count == Int(length) - 32 + 1 else { return nil }
        self.packet = nil
        return Packet(sequence: packet[1] &- 32 & 63, type: packet[2], data: packet[3...].dropLast())
    }
}
