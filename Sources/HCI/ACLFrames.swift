/// The L2CAP frames of one connection and one channel, out of and into ACL data packets (Bluetooth Core Specification
/// 5.4, Vol 4, Part E, 5.4.2, and Vol 3, Part A, 3.1).
package struct ACLFrames: Equatable, Sendable {
    /// Vol 3, Part A, 2.1.
    package static let attributeChannel: UInt16 = 4
    /// The longest frame that is put together, with its header. ATT values have 512 bytes at most.
    package static let longestFrame = 4 + 515

    package let handle: UInt16
    private var frame: [UInt8] = []
    /// A frame that is too long is skipped to its end.
    private var skips = false

    package init(handle: UInt16) { self.handle = handle }

    /// The PDU on the attribute channel that the packet completes, if it does.
    ///
    /// - Parameter packet: with its type, as a raw socket gives it.
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
        // The frame's own length may be cut in two.
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

    /// The packet with a PDU. It fits the smallest buffer that a controller may have, of 27 bytes.
    package func packet(with pdu: [UInt8]) -> [UInt8] {
        let frame = UInt16(clamping: pdu.count).transmitted + Self.attributeChannel.transmitted + pdu
        return [HCIPacket.data] + handle.transmitted + UInt16(clamping: frame.count).transmitted + frame
    }
}
