/// The connections of a controller, all of them to advertisers of the scenario, and its attempt at one more
/// (Bluetooth Core Specification 5.4, Vol 4, Part E).
struct Connections {
    private struct Attempt {
        /// `nil`: whoever is on the filter accept list.
        var target: Address?
        var begun: Int
    }

    private struct Connection {
        var address: Address
        var peer: Peer
        var begun: Int
        /// Of an L2CAP frame that isn't whole.
        var fragment: [UInt8] = []
    }

    private static let attributeChannel = 4
    private static let mostFrameBytes = 1024

    /// What goes to the host after the answer to its command.
    private(set) var outgoing: [[UInt8]] = []
    private var attempt: Attempt?
    private var connections: [UInt16: Connection] = [:]
    private var nextHandle: UInt16 = 0x0040

    var isInitiating: Bool { attempt != nil }

    mutating func takeOutgoing() -> [[UInt8]] {
        defer { outgoing.removeAll() }
        return outgoing
    }

    /// LE Create Connection (7.8.12).
    mutating func create(_ given: [UInt8]) -> Status {
        guard given.count == 25 else { return .invalidParameters }
        return create(policy: given[4], type: given[5], address: Array(given[6..<12]))
    }

    /// LE Extended Create Connection (7.8.66).
    mutating func createExtended(_ given: [UInt8]) -> Status {
        guard given.count >= 10, given.count == 10 + 16 * given[9].nonzeroBitCount, given[9] != 0 else {
            return .invalidParameters
        }
        return create(policy: given[0], type: given[2], address: Array(given[3..<9]))
    }

    private mutating func create(policy: UInt8, type: UInt8, address: [UInt8]) -> Status {
        guard attempt == nil else { return .commandDisallowed }
        guard policy <= 1, type <= 1 else { return .invalidParameters }
        let target = Address(type: type, bytes: address)
        guard policy == 1 || !connections.values.contains(where: { $0.address == target }) else {
            return .connectionExists
        }
        attempt = Attempt(target: policy == 1 ? nil : target, begun: monotonicMilliseconds())
        log("connecting to \(policy == 1 ? "the accept list" : target.description)")
        return .success
    }

    /// LE Create Connection Cancel (7.8.13): the attempt ends with an event of its own.
    mutating func cancel(isEnhanced: Bool) -> Status {
        guard attempt != nil else { return .commandDisallowed }
        attempt = nil
        log("connecting is cancelled")
        complete(.unknownConnection, handle: 0, Address(type: 0, bytes: [0, 0, 0, 0, 0, 0]), isEnhanced: isEnhanced)
        return .success
    }

    /// Disconnect (7.1.6).
    mutating func disconnect(_ given: [UInt8]) -> Status {
        guard given.count == 3 else { return .invalidParameters }
        let handle = UInt16(given.littleEndian16(at: 0))
        guard connections[handle] != nil else { return .unknownConnection }
        // "Connection terminated by local host".
        end(handle, reason: 0x16)
        return .success
    }

    /// LE Read Remote Features (7.8.21); the peers have none.
    mutating func readRemoteFeatures(_ given: [UInt8]) -> Status {
        guard given.count == 2 else { return .invalidParameters }
        let handle = UInt16(given.littleEndian16(at: 0))
        guard connections[handle] != nil else { return .unknownConnection }
        event(0x3E, [0x04, 0x00] + Array(littleEndian: handle) + [UInt8](repeating: 0, count: 8))
        return .success
    }

    /// An advertisement is what an attempt waits for.
    mutating func hear(_ advertisement: Advertisement, acceptList: Set<Address>, isEnhanced: Bool) {
        guard let attempt, advertisement.kind == .connectable else { return }
        let address = advertisement.address
        guard attempt.target.map({ $0 == address }) ?? acceptList.contains(address),
            !connections.values.contains(where: { $0.address == address }),
            let peer = Peer(advertisement), peer.manner != .unreachable
        else { return }
        self.attempt = nil
        let now = monotonicMilliseconds()
        log("connected to \(address) after \(now - attempt.begun) ms")
        let handle = nextHandle
        nextHandle = nextHandle == 0x0EFF ? 0x0040 : nextHandle + 1
        connections[handle] = Connection(address: address, peer: peer, begun: now)
        complete(.success, handle: handle, address, isEnhanced: isEnhanced)
    }

    /// ACL data from the host (5.4.2).
    mutating func receive(_ packet: [UInt8]) {
        guard packet.count >= 5, packet.count == 5 + packet.littleEndian16(at: 3) else {
            log("ignored an ACL packet of wrong length")
            return
        }
        let handle = UInt16(packet.littleEndian16(at: 1) & 0x0FFF)
        guard var connection = connections[handle] else { return }
        // Number Of Completed Packets (7.7.19).
        event(0x13, [1] + Array(littleEndian: handle) + [1, 0])
        let continues = packet.littleEndian16(at: 1) >> 12 & 3 == 1
        connection.fragment = (continues ? connection.fragment : []) + packet[5...]
        if connection.fragment.count > Self.mostFrameBytes { connection.fragment = [] }
        if connection.fragment.count >= 4,
            connection.fragment.count == 4 + connection.fragment.littleEndian16(at: 0)
        {
            let frame = connection.fragment
            connection.fragment = []
            if frame.littleEndian16(at: 2) == Self.attributeChannel {
                for answer in connection.peer.answer(to: Array(frame[4...])) { send(answer, handle) }
            } else {
                log("ignored a frame for channel \(frame.littleEndian16(at: 2))")
            }
        }
        connections[handle] = connection
        // "Remote user terminated connection".
        if connection.peer.hasLeft { end(handle, reason: 0x13) }
    }

    private mutating func send(_ pdu: [UInt8], _ handle: UInt16) {
        let frame = Array(littleEndian: UInt16(pdu.count)) + [UInt8(Self.attributeChannel), 0] + pdu
        // The first packet of a frame, from the controller.
        outgoing.append(
            [PacketType.data] + Array(littleEndian: handle | 0x2000) + Array(littleEndian: UInt16(frame.count)) + frame)
    }

    private mutating func end(_ handle: UInt16, reason: UInt8) {
        guard let connection = connections.removeValue(forKey: handle) else { return }
        log(
            "connection to \(connection.address) ended after \(monotonicMilliseconds() - connection.begun) ms, reason "
                + hexadecimal(reason, digits: 2))
        // Disconnection Complete (7.7.5).
        event(0x05, [0x00] + Array(littleEndian: handle) + [reason])
    }

    /// LE Connection Complete (7.7.65.1) or LE Enhanced Connection Complete (7.7.65.10): we are the central; an
    /// interval of 30 ms, no latency, supervision 420 ms.
    private mutating func complete(_ status: Status, handle: UInt16, _ address: Address, isEnhanced: Bool) {
        let resolvable = isEnhanced ? [UInt8](repeating: 0, count: 12) : []
        event(
            0x3E,
            [isEnhanced ? 0x0A : 0x01, status.rawValue] + Array(littleEndian: handle) + [0x00, address.type]
                + address.bytes + resolvable + [24, 0, 0, 0, 42, 0, 0])
    }

    private mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        outgoing.append([PacketType.event, code, UInt8(parameters.count)] + parameters)
    }
}

extension Address: CustomStringConvertible {
    var description: String {
        bytes.reversed().map { hexadecimal($0, digits: 2).dropFirst(2) }.joined(separator: ":")
    }
}
