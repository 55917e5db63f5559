/// Requests that a peer sends during our dialogue. Both ends of a connection have a client and a server; our server has
/// no attributes (Bluetooth Core Specification 5.4, Vol 3, Part F, 3.3.2).
enum PeerRequest {
    package enum Reply: Equatable {
        /// The PDU is for our server but needs no answer.
        case nothing
        case send([UInt8])
    }

    /// Replies to a PDU from the peer.
    ///
    /// - Returns: the reply, or `nil` for a response, which is for our client.
    static func reply(to pdu: [UInt8], opcode: UInt8, mtu: UInt16) throws(ExchangeError) -> Reply? {
        if opcode & ATT.Opcode.commandFlag != 0 { return .nothing }
        switch opcode {
        case ATT.Opcode.notification, ATT.Opcode.multipleNotification:
            guard pdu.count >= 3 else { throw .malformed(opcode: opcode, .tooShort) }
            return .nothing
        case ATT.Opcode.indication:
            guard pdu.count >= 3 else { throw .malformed(opcode: opcode, .tooShort) }
            return .send([ATT.Opcode.confirmation])
        // Confirmations have even opcodes, as requests do. We send no indications that could be confirmed.
        case ATT.Opcode.confirmation: return nil
        case ATT.Opcode.mtuRequest:
            guard pdu.count == 3 else { return invalid(opcode) }
            return .send([ATT.Opcode.mtuResponse] + mtu.transmitted)
        case ATT.Opcode.findInformationRequest:
            return search(pdu, opcode, isWhole: pdu.count == 5)
        case ATT.Opcode.findByTypeValueRequest:
            return search(pdu, opcode, isWhole: pdu.count >= 7)
        case ATT.Opcode.readByTypeRequest, ATT.Opcode.readByGroupTypeRequest:
            return search(pdu, opcode, isWhole: pdu.count == 7 || pdu.count == 21)
        default:
            guard opcode.isMultiple(of: 2) else { return nil }
            return .send(ATT.error(ATT.Reason.requestNotSupported, request: opcode, handle: 0))
        }
    }

    /// Returns the reply to a search request: our server has no attributes to find.
    private static func search(_ pdu: [UInt8], _ opcode: UInt8, isWhole: Bool) -> Reply {
        guard isWhole, let start = pdu.number16(at: 1) else { return invalid(opcode) }
        return .send(ATT.error(ATT.Reason.attributeNotFound, request: opcode, handle: start))
    }

    private static func invalid(_ opcode: UInt8) -> Reply {
        .send(ATT.error(ATT.Reason.invalidPDU, request: opcode, handle: 0))
    }
}
