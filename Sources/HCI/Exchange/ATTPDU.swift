/// Constants and PDU formats of the Attribute Protocol (Bluetooth Core Specification 5.4, Vol 3, Part F).
enum ATT {
    /// MTU of a Low Energy connection before one is negotiated (Vol 3, Part G, 5.2.1).
    static let defaultMTU: UInt16 = 23
    static let primaryService: UInt16 = 0x2800
    static let characteristic: UInt16 = 0x2803

    /// Opcodes (3.4.8).
    package enum Opcode {
        static let errorResponse: UInt8 = 0x01
        static let mtuRequest: UInt8 = 0x02
        static let mtuResponse: UInt8 = 0x03
        static let findInformationRequest: UInt8 = 0x04
        static let findByTypeValueRequest: UInt8 = 0x06
        static let findByTypeValueResponse: UInt8 = 0x07
        static let readByTypeRequest: UInt8 = 0x08
        static let readByTypeResponse: UInt8 = 0x09
        static let readRequest: UInt8 = 0x0A
        static let readResponse: UInt8 = 0x0B
        static let readByGroupTypeRequest: UInt8 = 0x10
        static let writeRequest: UInt8 = 0x12
        static let writeResponse: UInt8 = 0x13
        static let notification: UInt8 = 0x1B
        static let indication: UInt8 = 0x1D
        static let confirmation: UInt8 = 0x1E
        static let multipleNotification: UInt8 = 0x23
        static let writeCommand: UInt8 = 0x52
        /// Bit that marks a command, which is never answered (3.3.1).
        static let commandFlag: UInt8 = 0x40
    }

    /// Error codes (3.4.1.1).
    package enum Reason {
        static let invalidPDU: UInt8 = 0x04
        static let requestNotSupported: UInt8 = 0x06
        static let attributeNotFound: UInt8 = 0x0A
    }

    /// Characteristic properties (Vol 3, Part G, 3.3.1.1).
    enum Property {
        static let writeWithoutResponse: UInt8 = 0x04
        static let write: UInt8 = 0x08
    }

    static func findService(_ uuid: AttributeUUID) -> [UInt8] {
        [Opcode.findByTypeValueRequest] + UInt16(1).transmitted + UInt16.max.transmitted + primaryService.transmitted
            + uuid.transmitted
    }

    static func findCharacteristics(in handles: ClosedRange<UInt16>) -> [UInt8] {
        [Opcode.readByTypeRequest] + handles.lowerBound.transmitted + handles.upperBound.transmitted
            + characteristic.transmitted
    }

    static func error(_ reason: UInt8, request: UInt8, handle: UInt16) -> [UInt8] {
        [Opcode.errorResponse, request] + handle.transmitted + [reason]
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the little-endian 16-bit number at `offset` bytes after the first, or `nil` when it is incomplete.
    package func number16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset + 1 < count else { return nil }
        return UInt16(self[startIndex + offset]) | UInt16(self[startIndex + offset + 1]) << 8
    }
}

/// A characteristic declaration (Vol 3, Part G, 3.3.1).
struct CharacteristicDeclaration: Equatable, Sendable {
    var handle: UInt16
    var properties: UInt8
    var valueHandle: UInt16
    /// 128-bit UUID; `nil` for a 16-bit UUID.
    var uuid: AttributeUUID?

    /// Returns the declarations in a Read By Type Response (Vol 3, Part F, 3.4.4.2).
    ///
    /// - Parameter asked: the range of handles in the request.
    static func list(
        in pdu: [UInt8], asked: ClosedRange<UInt16>
    ) throws(ExchangeError) -> [CharacteristicDeclaration] {
        let opcode = ATT.Opcode.readByTypeResponse
        guard pdu.count >= 2 else { throw .malformed(opcode: opcode, .tooShort) }
        let length = Int(pdu[1])
        // Entry with a 16-bit UUID or a 128-bit UUID.
        guard length == 7 || length == 21, pdu.count > 2, (pdu.count - 2).isMultiple(of: length) else {
            throw .malformed(opcode: opcode, .raggedList)
        }
        var declarations: [CharacteristicDeclaration] = []
        var lowest = asked.lowerBound
        for start in stride(from: 2, to: pdu.count, by: length) {
            let entry = pdu[start..<start + length]
            guard let handle = entry.number16(at: 0), let valueHandle = entry.number16(at: 3) else {
                throw .malformed(opcode: opcode, .raggedList)
            }
            guard handle >= lowest, handle < valueHandle, valueHandle <= asked.upperBound else {
                throw .malformed(opcode: opcode, .impossibleHandles)
            }
            lowest = valueHandle
            declarations.append(
                CharacteristicDeclaration(
                    handle: handle, properties: entry[start + 2], valueHandle: valueHandle,
                    uuid: AttributeUUID(transmitted: entry.dropFirst(5))))
        }
        return declarations
    }
}
