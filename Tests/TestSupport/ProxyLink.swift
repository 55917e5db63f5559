import Glibc

/// One connection through a `CuttingProxy`. Nothing here blocks.
struct ProxyLink {
    let client: CInt
    /// -1 until it is known that this client may go on.
    var broker: CInt = -1
    /// What was read and isn't passed on yet.
    var fromClient: [UInt8] = []
    var fromBroker: [UInt8] = []
    /// The beginning of a packet of the broker whose rest hasn't come, while packets are told apart.
    var begun: [UInt8] = []
    /// The same of the client.
    var begunByClient: [UInt8] = []
    var isChecked = false
    /// Ends once what was read is passed on.
    var isEnding = false

    /// What to wait for on either side.
    var interest: [pollfd] {
        var clientEvents: CInt = 0
        var brokerEvents: CInt = 0
        if fromClient.isEmpty || !isChecked { clientEvents |= POLLIN }
        if !fromBroker.isEmpty { clientEvents |= POLLOUT }
        if fromBroker.isEmpty { brokerEvents |= POLLIN }
        if !fromClient.isEmpty { brokerEvents |= POLLOUT }
        return [
            pollfd(fd: client, events: Int16(clientEvents), revents: 0),
            pollfd(fd: broker, events: Int16(brokerEvents), revents: 0),
        ]
    }

    /// - Returns: what was read, at most `limit` bytes; `nil` at the end of the connection.
    static func read(_ descriptor: CInt, limit: Int) -> [UInt8]? {
        guard descriptor >= 0, limit > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: min(limit, 65_536))
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        return count == 0 ? nil : Array(buffer[0..<count])
    }

    /// Takes PUBACKs (MQTT 3.1.1, section 3.4) out of what came from the broker.
    ///
    /// - Parameter limit: how many at most.
    /// - Returns: how many.
    mutating func swallowAcknowledgements(_ limit: Int) -> Int {
        var bytes = begun + fromBroker
        var count = 0
        fromBroker = []
        while let packet = SilentBroker.takePacket(&bytes) {
            if packet[0] >> 4 == 4, count < limit { count += 1 } else { fromBroker += packet }
        }
        begun = bytes
        return count
    }

    /// Takes PUBLISH packets of QoS 1 that are refused out of what came from the client, and answers them (MQTT 5.0, sections
    /// 3.3 and 3.4).
    ///
    /// - Returns: how many.
    mutating func refuse(_ reason: (String, [UInt8]) -> UInt8?) -> Int {
        var bytes = begunByClient + fromClient
        var count = 0
        fromClient = []
        while let packet = SilentBroker.takePacket(&bytes) {
            guard packet[0] >> 4 == 3, packet[0] & 6 == 2,
                let start = packet.dropFirst().firstIndex(where: { $0 & 0x80 == 0 }).map({ $0 + 1 })
            else {
                fromClient += packet
                continue
            }
            let end = start + 2 + Int(packet[start]) << 8 + Int(packet[start + 1])
            let topic = String(decoding: packet[(start + 2)..<end], as: UTF8.self)
            if let reason = reason(topic, Array(packet[(end + 2)...])) {
                fromBroker += [0x40, 3, packet[end], packet[end + 1], reason]
                count += 1
            } else {
                fromClient += packet
            }
        }
        begunByClient = bytes
        return count
    }

    /// The topic of the first PUBLISH packet of the client that is forbidden; that packet and what comes after it are dropped.
    mutating func forbiddenTopic(_ isForbidden: (String) -> Bool) -> String? {
        var found: String?
        _ = refuse { topic, _ in
            if found == nil, isForbidden(topic) { found = topic }
            return nil
        }
        if found != nil { (fromClient, begunByClient) = ([], []) }
        return found
    }

    /// Writes what can be written at once, and takes it off `bytes`.
    ///
    /// - Returns: whether the other side still takes something.
    static func write(_ bytes: inout [UInt8], to descriptor: CInt) -> Bool {
        guard descriptor >= 0, !bytes.isEmpty else { return true }
        let count = send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        if count < 0 { return errno == EAGAIN || errno == EINTR || errno == ENOTCONN }
        bytes.removeFirst(count)
        return true
    }

    /// - Parameter reset: whether the client gets a reset instead of an orderly end.
    func close(reset: Bool) {
        if reset {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
        Glibc.close(client)
        if broker >= 0 { Glibc.close(broker) }
    }

    /// The protocol level in a CONNECT packet (MQTT 3.1.1, section 3.1.2.2); `nil` until there is enough of it, 0 for
    /// something else.
    static func level(_ bytes: [UInt8]) -> UInt8? {
        guard let first = bytes.first else { return nil }
        guard first == 0x10 else { return 0 }
        guard let lengthEnd = bytes.dropFirst().firstIndex(where: { $0 & 0x80 == 0 }) else { return nil }
        let level = lengthEnd + 1 + 2 + 4
        return level < bytes.count ? bytes[level] : nil
    }
}
