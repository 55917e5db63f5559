package import BeaconModel
import Glibc
import SystemIO

/// Accepts clients of MQTT 5 and 3.1.1, counts what they publish, and acknowledges nothing; if wanted it floods them.
package final class SilentBroker: Sendable {
    package let port: UInt16
    private let listener: CInt
    private let wakeup: WakeupPipe
    private let heard = LockedValue(Heard())

    private struct Heard {
        var published = 0
        var subscriptions = 0
        var goodbyes = 0
        var flooded = 0
        var connect: [UInt8] = []
    }

    private struct Flood {
        var first: [UInt8]
        var packet: [UInt8]
        var isDeaf: Bool
        var answersSubscriptions: Bool
    }

    /// - Parameters:
    ///   - receiveMaximum: how many unacknowledged messages it says that it takes at once (MQTT 5.0, section 3.2.2.3.3).
    ///   - floods: whether it publishes to each client without a pause.
    ///   - first: what it sends before that, once.
    ///   - packet: what it sends then; without it a message of QoS 0.
    ///   - isDeaf: whether it reads nothing any more while it floods.
    ///   - answersSubscriptions: whether it grants what is subscribed to, while it floods.
    ///   - reason: with which it ends a connection of MQTT 5 after the first PUBLISH (MQTT 5.0, section 3.14.2.1).
    package init(
        receiveMaximum: UInt16? = nil, floods: Bool = false, after first: [UInt8] = [],
        with packet: [UInt8] = [0x30, 4, 0, 1, 0x78, 0x79],
        isDeaf: Bool = false, answersSubscriptions: Bool = false, endsWith reason: UInt8? = nil
    ) throws(SystemError) {
        (listener, port) = try LoopbackSocket.listen()
        wakeup = try WakeupPipe()
        if isDeaf {
            // Accepted connections have it too. Else megabytes fit in before anybody sees that nothing is read.
            var size: CInt = 4096
            setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        let (listener, wakeup, heard) = (listener, wakeup, heard)
        let flood =
            floods
            ? Flood(first: first, packet: packet, isDeaf: isDeaf, answersSubscriptions: answersSubscriptions) : nil
        try DedicatedThread.start(name: "silent") {
            while let readiness = try? waitUntilReady(listener, for: .readable, wakeup: wakeup, timeout: nil),
                !readiness.woken
            {
                guard let client = LoopbackSocket.accept(listener) else { continue }
                Self.serve(client, receiveMaximum, flood, reason, wakeup, heard)
                Glibc.close(client)
            }
            Glibc.close(listener)
        }
    }

    /// PUBLISH packets so far.
    package var count: Int { heard.withLock(\.published) }
    /// SUBSCRIBE packets so far.
    package var subscriptions: Int { heard.withLock(\.subscriptions) }
    /// Bytes so far that nobody asked for.
    package var flooded: Int { heard.withLock(\.flooded) }
    /// DISCONNECT packets so far.
    package var goodbyes: Int { heard.withLock(\.goodbyes) }

    /// The last CONNECT packet.
    package var connect: [UInt8] { heard.withLock(\.connect) }

    package func close() { wakeup.wake() }

    private static func serve(
        _ client: CInt, _ receiveMaximum: UInt16?, _ flood: Flood?, _ reason: UInt8?, _ wakeup: WakeupPipe,
        _ heard: LockedValue<Heard>
    ) {
        var sent = 0
        var isFlooding = false
        // Between two packets of the flood.
        var answers: [UInt8] = []
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while let (readiness, isWoken) = try? waitUntilReady(
            client, for: isFlooding ? [.readable, .writable] : .readable, wakeup: wakeup, timeout: nil), !isWoken
        {
            if isFlooding, let flood, flood.isDeaf || !readiness.contains(.readable) {
                if sent == 0, !answers.isEmpty {
                    guard write(client, answers, answers.count) == answers.count else { return }
                    answers = []
                }
                let rest = flood.packet.dropFirst(sent)
                let count = rest.withUnsafeBytes { bytes in
                    send(client, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
                }
                if count < 0, errno != EAGAIN { return }
                sent = (sent + max(0, count)) % flood.packet.count
                heard.withLock { $0.flooded += max(0, count) }
                continue
            }
            let count = read(client, &buffer, buffer.count)
            guard count > 0 else { return }
            bytes += buffer[0..<count]
            while let packet = takePacket(&bytes) {
                switch packet[0] >> 4 {
                case 1:
                    heard.withLock { $0.connect = packet }
                    let answer = accepted(packet, receiveMaximum)
                    guard write(client, answer, answer.count) == answer.count else { return }
                    isFlooding = flood != nil
                    if let first = flood?.first { _ = write(client, first, first.count) }
                case 3:
                    heard.withLock { $0.published += 1 }
                    if let reason {
                        _ = write(client, [0xE0, 2, reason, 0], 4)
                        return
                    }
                case 8:
                    heard.withLock { $0.subscriptions += 1 }
                    // SUBACK of MQTT 3.1.1, with the same number and QoS 1.
                    if flood?.answersSubscriptions == true { answers += [0x90, 3, packet[2], packet[3], 1] }
                case 14: heard.withLock { $0.goodbyes += 1 }
                case 12: guard write(client, [0xD0, 0], 2) == 2 else { return }
                default: break
                }
            }
        }
    }

    /// CONNACK, with properties for MQTT 5.
    private static func accepted(_ connect: [UInt8], _ receiveMaximum: UInt16?) -> [UInt8] {
        guard ProxyLink.level(connect) == 5 else { return [0x20, 2, 0, 0] }
        guard let receiveMaximum else { return [0x20, 3, 0, 0, 0] }
        return [0x20, 6, 0, 0, 3, 0x21, UInt8(receiveMaximum >> 8), UInt8(receiveMaximum & 0xFF)]
    }

    /// Takes one whole packet off the beginning; `nil` until there is one.
    static func takePacket(_ bytes: inout [UInt8]) -> [UInt8]? {
        var length = 0
        var shift = 0
        for index in 1..<5 {
            guard index < bytes.count else { return nil }
            length |= Int(bytes[index] & 0x7F) << shift
            shift += 7
            guard bytes[index] & 0x80 == 0 else { continue }
            let end = index + 1 + length
            guard end <= bytes.count else { return nil }
            defer { bytes.removeFirst(end) }
            return Array(bytes[0..<end])
        }
        return nil
    }
}
