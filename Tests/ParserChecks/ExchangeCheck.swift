import BeaconModel

@testable import HCI

/// What a peer sends over a connection: frames, and the dialogue about codes.
enum ExchangeCheck: ParserCheck {
    static let name = "exchange"

    private static let handle: UInt16 = 0x40
    private static let mtu: UInt16 = 64

    /// - Parameter input: a `PacketSequence`, of which those of adapter 0 are PDUs and the others packets of ACL data.
    ///   The number of packets chooses the app and what is asked for.
    static func violation(for input: [UInt8]) -> String? {
        let packets = PacketSequence(input).packets
        let asksMTU = packets.count & 2 == 0
        var exchange = ATTExchange(
            packets.count & 1 == 0 ? .bleProximity : .c19x, ownCode: packets.count & 4 == 0 ? 1 : nil,
            mtu: asksMTU ? mtu : nil)
        var frames = ACLFrames(handle: handle)
        var isOver = false
        var actions = exchange.handle(.opened)
        for packet in packets {
            let pdu = packet.adapter.index == 0 ? packet.bytes : frames.receive(packet.bytes)
            if let pdu {
                if pdu.count > ACLFrames.longestFrame - 4 { return "a PDU of \(pdu.count) bytes" }
                actions += exchange.handle(.received(pdu))
            }
            if isOver, !actions.isEmpty { return "\(actions) after the end" }
            if actions.count > 4 { return "\(actions) for one PDU" }
            for action in actions {
                switch action {
                case .send(let pdu):
                    if pdu.isEmpty || pdu.count > (asksMTU ? Int(mtu) : 23) { return "\(pdu.count) bytes are sent" }
                    var back = ACLFrames(handle: handle)
                    if back.receive(frames.packet(with: pdu)) != pdu { return "a PDU isn't what it was when framed" }
                case .finished, .failed:
                    if isOver { return "two ends" }
                    isOver = true
                case .wait: break
                }
            }
            actions = []
        }
        return nil
    }
}
