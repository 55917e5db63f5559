/// Reassembly and encoding of L2CAP frames for one connection and channel, carried in ACL data packets (Bluetooth Core
/// Specification 5.4, Vol 4, Part E, 5.4.2, and Vol 3, Part A, 3.1).
package struct ACLFrames: Equatable, Sendable {
    /// Channel identifier of the Attribute Protocol (Vol 3, Part A, 2.1).
    package static let attributeChannel: UInt16 = 4
    /// Maximum length of a reassembled frame in bytes, including its header. ATT values have at most 512 bytes.
    package static let longestFrame = 4 + 515

    package let handle: UInt16
    private var frame: [UInt8] = []
    /// Whether the rest of the current frame is skipped because the frame is too long.
    private var skips = false

    package init(handle: UInt16) { self.handle = handle }

    /// Returns the attribute PDU that the packet completes, or `nil` when it completes none.
    ///
    /// - Parameter packet: the packet with its type byte, as a raw socket delivers it.
    package mutating func receive(_ packet: some RandomAccessCollection<UInt8>) -> [UInt8]? {
        let bytes = Array(packet)
        guard bytes.first == HCIPacket.data, let field = bytes.number16(at: 1), let count = bytes.number16(at: 3),
            field & 0x0FFF == handle, bytes.count == 5 + Int(count)
        else { return nil }
        let continues = field >> 12 & 3 == 1
        if continues {
            if skips || frame.isEmpty { return nil }
            frame += bytes[5...]
        } else {
            frame = Array(bytes[5...])
            skips = false
        }
        // The frame's own length field may be split across packets.
        guard let length = frame.number16(at: 0) else { return nil }
        guard 4 + Int(length) <= Self.longestFrame, frame.count <= 4 + Int(length) else {
            frame = []
            skips = true
            return nil
        }
        guard frame.count == 4 + Int(length) else { return nil }
        defer { frame = [] }
        return frame.number16(at: 2) == Self.attributeChannel ? Array(frame[4...]) : nil
    }

    /// Returns an ACL data packet that carries a PDU. It fits the smallest buffer that a controller may have, 27 bytes.
    package func packet(with pdu: [UInt8]) -> [UInt8] {
        let frame = UInt16(clamping: pdu.count).transmitted + Self.attributeChannel.transmitted + pdu
        return [HCIPacket.data] + handle.transmitted + UInt16(clamping: frame.count).transmitted + frame
    }
}
