/// A phone that can be connected to: an attribute server with the services that its advertisement tells of
/// (Bluetooth Core Specification 5.4, Vol 3, Part F and G).
struct Peer {
    /// How it behaves, by the local name in its advertisement; without one of these names, well.
    enum Manner: String {
        case good
        /// Asks and tells things of its own before it answers the first question.
        case chatty
        /// Answers each question with very many notifications.
        case flood
        /// Lets itself be connected, and then says nothing.
        case silent
        /// Ends the connection at the first question.
        case leaves
        /// Advertises, but can't be connected.
        case unreachable = "unreach"
    }

    private struct Attribute {
        var type: [UInt8]
        var value: [UInt8]
        var isReadable = true
        var isWritable = false
    }

    /// As UUIDs are transmitted: the reverse of the written form.
    enum UUID {
        static let bleProximity = reversed("8E99298E65D64AF79074731C66E01AF9")
        static let readID = reversed("9F56554774154EF78CDDE2E9674EF033")
        static let writeID = reversed("B222EBFF99B44BC4A2E4717AEF9966A6")
        static let c19x = reversed("FFFFFFFFEEEEDDDD0000000000000000")

        private static func reversed(_ text: String) -> [UInt8] { Array(([UInt8](hexadecimal: text) ?? []).reversed()) }
    }

    private static let defaultMTU = 23
    private static let primaryService: [UInt8] = [0x00, 0x28]
    private static let characteristic: [UInt8] = [0x03, 0x28]
    private static let flood = 200

    let manner: Manner
    private let name: String
    /// The handle of the first is 1.
    private var attributes: [Attribute] = []
    private var hasIntroducedItself = false
    /// The connection is to be ended.
    private(set) var hasLeft = false

    /// `nil` for an advertiser that can't be connected to.
    init?(_ advertisement: Advertisement) {
        guard advertisement.kind == .connectable else { return nil }
        let address = advertisement.address.bytes.reversed()
        name = address.map { hexadecimal($0, digits: 2).dropFirst(2) }.joined(separator: ":")
        // 0xC0DE and the address: whoever reads the code knows whose it must be.
        let code: [UInt8] = [0xC0, 0xDE] + address
        var services: [[UInt8]] = []
        var manner = Manner.good
        for (type, data) in Self.structures(in: advertisement.data) {
            switch type {
            // Complete and incomplete lists of 128-bit service UUIDs, and the local name.
            case 0x06, 0x07: services.append(Array(data))
            case 0x08, 0x09: manner = Manner(rawValue: String(decoding: data, as: UTF8.self)) ?? .good
            default: break
            }
        }
        self.manner = manner
        // What every device has (Vol 3, Part C, 12): the service Generic Access with a name.
        attributes += [
            Attribute(type: Self.primaryService, value: [0x00, 0x18]),
            Attribute(type: Self.characteristic, value: [0x02, 3, 0, 0x00, 0x2A]),
            Attribute(type: [0x00, 0x2A], value: Array("phone".utf8)),
        ]
        if services.contains(UUID.bleProximity) {
            attributes.append(Attribute(type: Self.primaryService, value: UUID.bleProximity))
            add(UUID.readID, properties: 0x02, value: code.reversed())
            add(UUID.writeID, properties: manner == .chatty ? 0x08 : 0x04, isReadable: false, isWritable: true)
        }
        if services.contains(UUID.c19x) {
            attributes.append(Attribute(type: Self.primaryService, value: UUID.c19x))
            // Write and notify.
            add(code.reversed() + UUID.c19x[8...], properties: 0x18, isReadable: false, isWritable: true)
            attributes.append(Attribute(type: [0x02, 0x29], value: [0, 0], isWritable: true))
        }
    }

    private mutating func add(
        _ uuid: [UInt8], properties: UInt8, value: [UInt8] = [], isReadable: Bool = true, isWritable: Bool = false
    ) {
        let valueHandle = UInt16(attributes.count + 2)
        attributes.append(
            Attribute(type: Self.characteristic, value: [properties] + Array(littleEndian: valueHandle) + uuid))
        attributes.append(Attribute(type: uuid, value: value, isReadable: isReadable, isWritable: isWritable))
    }

    /// What it sends because of a PDU from the other side.
    mutating func answer(to pdu: [UInt8]) -> [[UInt8]] {
        guard let opcode = pdu.first else { return [] }
        guard pdu.count <= Self.defaultMTU else { return [error(0x04, opcode, 0)] }
        switch manner {
        case .silent, .unreachable: return []
        case .leaves:
            hasLeft = true
            return []
        case .flood where opcode != 0x1E:
            return [[UInt8]](repeating: [0x1B, 0x03, 0x00, 0xFF], count: Self.flood) + respond(to: pdu, opcode)
        case .chatty where !hasIntroducedItself:
            hasIntroducedItself = true
            return [
                [0x02, 0xB9, 0x00],  // Exchange MTU Request
                [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28],  // Read By Group Type Request: which services?
                [0x1B, 0x03, 0x00, 0x01, 0x02],  // Handle Value Notification
                [0x1D, 0x03, 0x00, 0x01],  // Handle Value Indication
            ] + respond(to: pdu, opcode)
        default: return respond(to: pdu, opcode)
        }
    }

    private mutating func respond(to pdu: [UInt8], _ opcode: UInt8) -> [[UInt8]] {
        switch opcode {
        case 0x02 where pdu.count == 3: return [[0x03] + Array(littleEndian: UInt16(Self.defaultMTU))]
        case 0x06 where pdu.count >= 7: return [findByTypeValue(pdu)]
        case 0x08 where pdu.count == 7 || pdu.count == 21: return [readByType(pdu)]
        case 0x0A where pdu.count == 3: return [read(pdu)]
        case 0x12 where pdu.count >= 3: return [write(pdu) ?? [0x13]]
        case 0x52 where pdu.count >= 3:
            _ = write(pdu)
            return []
        case 0x01, 0x03, 0x1E:
            let bytes = pdu.map { hexadecimal($0, digits: 2).dropFirst(2) }.joined(separator: " ")
            log("peer \(name) was answered \(bytes)")
            return []
        case 0x02, 0x06, 0x08, 0x0A, 0x12: return [error(0x04, opcode, 0)]
        default: return opcode & 0x40 != 0 || !opcode.isMultiple(of: 2) ? [] : [error(0x06, opcode, 0)]
        }
    }

    /// Vol 3, Part F, 3.4.3.3.
    private func findByTypeValue(_ pdu: [UInt8]) -> [UInt8] {
        let (first, last) = (pdu.littleEndian16(at: 1), pdu.littleEndian16(at: 3))
        guard first > 0, first <= last else { return error(0x01, 0x06, first) }
        var found: [UInt8] = []
        for handle in attributes.indices.map({ $0 + 1 }) where (first...last).contains(handle) {
            let attribute = attributes[handle - 1]
            guard attribute.type == Array(pdu[5...6]), attribute.value == Array(pdu[7...]) else { continue }
            let next = attributes[handle...].firstIndex { $0.type == Self.primaryService }
            found += Array(littleEndian: UInt16(handle)) + Array(littleEndian: UInt16(next ?? 0xFFFF))
        }
        return found.isEmpty ? error(0x0A, 0x06, first) : [0x07] + found.prefix((Self.defaultMTU - 1) / 4 * 4)
    }

    /// Vol 3, Part F, 3.4.4.1.
    private func readByType(_ pdu: [UInt8]) -> [UInt8] {
        let (first, last) = (pdu.littleEndian16(at: 1), pdu.littleEndian16(at: 3))
        guard first > 0, first <= last else { return error(0x01, 0x08, first) }
        var answer: [UInt8] = []
        for handle in attributes.indices.map({ $0 + 1 }) where (first...last).contains(handle) {
            let attribute = attributes[handle - 1]
            guard attribute.type == Array(pdu[5...]) else { continue }
            guard attribute.isReadable else { return answer.isEmpty ? error(0x02, 0x08, handle) : answer }
            let entry = Array(littleEndian: UInt16(handle)) + attribute.value.prefix(Self.defaultMTU - 4)
            if answer.isEmpty { answer = [0x09, UInt8(entry.count)] }
            guard Int(answer[1]) == entry.count, answer.count + entry.count <= Self.defaultMTU else { break }
            answer += entry
        }
        return answer.isEmpty ? error(0x0A, 0x08, first) : answer
    }

    private func read(_ pdu: [UInt8]) -> [UInt8] {
        let handle = pdu.littleEndian16(at: 1)
        guard (1...attributes.count).contains(handle) else { return error(0x01, 0x0A, handle) }
        guard attributes[handle - 1].isReadable else { return error(0x02, 0x0A, handle) }
        return [0x0B] + attributes[handle - 1].value.prefix(Self.defaultMTU - 1)
    }

    /// The error, if it is one.
    private mutating func write(_ pdu: [UInt8]) -> [UInt8]? {
        let handle = pdu.littleEndian16(at: 1)
        guard (1...attributes.count).contains(handle) else { return error(0x01, pdu[0], handle) }
        guard attributes[handle - 1].isWritable else { return error(0x03, pdu[0], handle) }
        attributes[handle - 1].value = Array(pdu[3...])
        let number = pdu[3...].reversed().map { hexadecimal($0, digits: 2).dropFirst(2) }.joined()
        log("peer \(name) was given 0x\(number) by \(pdu[0] == 0x52 ? "command" : "request")")
        return nil
    }

    private func error(_ reason: UInt8, _ request: UInt8, _ handle: Int) -> [UInt8] {
        [0x01, request] + Array(littleEndian: UInt16(truncatingIfNeeded: handle)) + [reason]
    }

    private static func structures(in data: [UInt8]) -> [(type: UInt8, data: ArraySlice<UInt8>)] {
        var structures: [(type: UInt8, data: ArraySlice<UInt8>)] = []
        var rest = data[...]
        while let length = rest.first.map(Int.init), length > 0, length < rest.count {
            let body = rest.dropFirst().prefix(length)
            structures.append((body[body.startIndex], body.dropFirst()))
            rest = rest.dropFirst(length + 1)
        }
        return structures
    }
}
