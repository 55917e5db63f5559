import BeaconModel
import Testing

@testable import HCI

/// A connection against a controller and a peer that are played here, packet by packet (Bluetooth Core Specification
/// 5.4, Vol 4, Part E).
@Suite struct PeerConnectionTests {
    private static let adapter = Adapter(index: 0)
    private static let peer = ExchangePeer(
        app: .bleProximity, address: BluetoothAddress(bits: 0x4A11_2233_4410), isAddressPublic: false)
    private static let address: [UInt8] = [0x10, 0x44, 0x33, 0x22, 0x11, 0x4A]
    private static let legacyCreate: [UInt8] =
        [0x01, 0x0D, 0x20, 25, 96, 0, 48, 0, 0, 1] + address + [0, 12, 0, 24, 0, 0, 0, 100, 0, 0, 0, 0, 0]
    private static let extendedCreate: [UInt8] =
        [0x01, 0x43, 0x20, 26, 0, 0, 1] + address + [1, 96, 0, 48, 0, 12, 0, 24, 0, 0, 0, 100, 0, 0, 0, 0, 0]
    private static let cancel: [UInt8] = [0x01, 0x0E, 0x20, 0]
    private static let disconnect: [UInt8] = [0x01, 0x06, 0x04, 3, 0x40, 0x00, 0x13]
    private static let disconnected: [UInt8] = [0x04, 0x05, 4, 0, 0x40, 0x00, 0x13]
    private static let reading = ExchangeReading(code: PDU.code, gaveOwnCode: true)

    private var connection = PeerConnection(
        adapter: adapter, peer: peer, connectionTimeout: .seconds(2),
        exchange: ATTExchange(.bleProximity, ownCode: PDU.ownCode))

    /// Command Complete of Read Local Supported Commands.
    private func commands(octet37: UInt8, status: UInt8 = 0) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        octets[37] = octet37
        return [0x04, 0x0E, 68, 1, 0x02, 0x10, status] + octets
    }

    private func status(_ status: UInt8, of opCode: UInt16) -> [UInt8] {
        [0x04, 0x0F, 4, status, 1, UInt8(opCode & 0xFF), UInt8(opCode >> 8)]
    }

    /// LE Connection Complete or LE Enhanced Connection Complete.
    private func connected(
        status: UInt8 = 0, handle: UInt8 = 0x40, type: UInt8 = 1, address: [UInt8] = Self.address,
        isEnhanced: Bool = false
    ) -> [UInt8] {
        let resolvable = [UInt8](repeating: 0, count: isEnhanced ? 12 : 0)
        let parameters =
            [isEnhanced ? 0x0A : 0x01, status, handle, 0, 0, type] + address + resolvable + [24, 0, 0, 0, 100, 0, 0]
        return [0x04, 0x3E, UInt8(parameters.count)] + parameters
    }

    private func data(_ pdu: [UInt8], handle: UInt8 = 0x40, channel: UInt8 = 4) -> [UInt8] {
        let frame = [UInt8(pdu.count & 0xFF), UInt8(pdu.count >> 8), channel, 0] + pdu
        return [0x02, handle, 0x20, UInt8(frame.count & 0xFF), UInt8(frame.count >> 8)] + frame
    }

    /// What a packet leads to.
    private mutating func take(_ packet: [UInt8]) -> [PeerConnection.Action] { connection.handle(.packet(packet)) }

    private mutating func connect() {
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        _ = take(status(0, of: 0x200D))
        _ = take(connected())
    }

    @Test("The legacy command connects where scanning is legacy, the extended one where it is extended")
    mutating func command() {
        for (octet, create) in [(UInt8(0), Self.legacyCreate), (0x80, Self.legacyCreate), (0xE0, Self.extendedCreate)] {
            self = PeerConnectionTests()
            #expect(connection.handle(.opened) == [.send([0x01, 0x02, 0x10, 0]), .wait(.seconds(1))])
            #expect(take(commands(octet37: octet)) == [.phase(.connecting), .send(create), .wait(.seconds(2))])
        }
    }

    @Test("A controller with extended scanning, but without extended connecting, isn't tried")
    mutating func cannotConnect() {
        _ = connection.handle(.opened)
        #expect(
            take(commands(octet37: 0x60)) == [.phase(.ended), .ended(.failure(.cannotConnect(Self.adapter)))])
    }

    @Test("From the connection to the code, and the connection is ended", arguments: [false, true])
    mutating func whole(isEnhanced: Bool) {
        _ = connection.handle(.opened)
        _ = take(commands(octet37: isEnhanced ? 0xE0 : 0))
        _ = take(status(0, of: isEnhanced ? 0x2043 : 0x200D))
        var actions = take(connected(isEnhanced: isEnhanced))
        #expect(actions.prefix(2) == [.phase(.connected), .wait(.seconds(5))])
        let peer = AnsweringPeer.bleProximity()
        var answers = 0
        while case .send(let packet)? = actions.last, packet[0] == 0x02 {
            #expect(packet.count <= 5 + 27, "fits the smallest buffer of a controller")
            actions = take(data(peer.answers[Array(packet[9...])]?.first ?? []))
            #expect(actions.contains(.phase(.answered)) == (answers == 0))
            answers += 1
        }
        #expect(answers == 4)
        #expect(actions == [.send(Self.disconnect), .wait(.seconds(1))])
        #expect(take(Self.disconnected) == [.phase(.ended), .ended(.success(Self.reading))])
        #expect(connection.handle(.deadline) == [])
    }

    @Test("A frame in several packets is put together; one that is too long is passed over")
    mutating func fragments() {
        connect()
        let long = [UInt8](repeating: 0x1B, count: 600)
        #expect(take(data(long)) == [])
        #expect(take([0x02, 0x40, 0x10, 1, 0, 0x0B]) == [], "the rest of what is passed over")
        let whole = Array(data([0x07, 16, 0, 21, 0])[5...])
        #expect(take([0x02, 0x40, 0x20, 1, 0, whole[0]]) == [])
        #expect(take([0x02, 0x40, 0x10, 5, 0] + whole[1...5]) == [])
        let actions = take([0x02, 0x40, 0x10, 3, 0] + whole[6...])
        #expect(actions.contains(.send(ACLFrames(handle: 0x40).packet(with: [0x08, 17, 0, 21, 0, 0x03, 0x28]))))
    }

    @Test("What belongs to other connections and other channels changes nothing")
    mutating func others() {
        connect()
        #expect(take(data([0x07, 16, 0, 21, 0], handle: 0x41)) == [])
        #expect(take(data([0x07, 16, 0, 21, 0], channel: 5)) == [])
        #expect(take([0x04, 0x05, 4, 0, 0x41, 0, 0x13]) == [])
        #expect(take(connected(handle: 0x42, address: [1, 2, 3, 4, 5, 6])) == [])
        #expect(!take(data([0x07, 16, 0, 21, 0])).isEmpty)
    }

    @Test("A connection to somebody else isn't taken for ours", arguments: [true, false])
    mutating func somebodyElse(isSameNumber: Bool) {
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        let other = isSameNumber ? connected(type: 0) : connected(address: [1, 2, 3, 4, 5, 6])
        #expect(take(other) == [])
        #expect(take(connected()).first == .phase(.connected))
    }

    @Test("A refused command is told with its status")
    mutating func refused() {
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        #expect(
            take(status(0x0C, of: 0x200D)) == [
                .phase(.ended), .ended(.failure(.controllerRefused(Self.adapter, status: 0x0C))),
            ])
    }

    @Test("A peer that doesn't let itself be reached is given up, and the attempt taken back")
    mutating func notReached() {
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        _ = take(status(0, of: 0x200D))
        #expect(connection.handle(.deadline) == [.send(Self.cancel), .wait(.seconds(1))])
        #expect(take([0x04, 0x0E, 4, 1, 0x0E, 0x20, 0]) == [])
        #expect(
            take(connected(status: 0x02, address: [0, 0, 0, 0, 0, 0])) == [
                .phase(.ended), .ended(.failure(.notReached)),
            ])
    }

    @Test("A connection that comes about while the attempt is taken back is ended")
    mutating func late() {
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        _ = connection.handle(.deadline)
        #expect(take(connected()) == [.send(Self.disconnect), .wait(.seconds(1))])
        #expect(take(Self.disconnected) == [.phase(.ended), .ended(.failure(.notReached))])
    }

    @Test("A controller that stays mute is given up, whatever it was asked for")
    mutating func mute() {
        _ = connection.handle(.opened)
        #expect(
            connection.handle(.deadline) == [.phase(.ended), .ended(.failure(.controllerIsMute(Self.adapter)))])

        self = PeerConnectionTests()
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        _ = connection.handle(.deadline)
        #expect(connection.handle(.deadline) == [.phase(.ended), .ended(.failure(.notReached))])

        self = PeerConnectionTests()
        connect()
        #expect(connection.handle(.deadline) == [.send(Self.disconnect), .wait(.seconds(1))])
        #expect(
            connection.handle(.deadline) == [.phase(.ended), .ended(.failure(.tooSlow(during: .service)))])
    }

    @Test("A peer that ends the connection ends the exchange")
    mutating func lost() {
        connect()
        #expect(take(Self.disconnected) == [.phase(.ended), .ended(.failure(.connectionLost))])
    }

    @Test("Cancelled, it takes back what it began, and says so at the end")
    mutating func cancelled() {
        _ = connection.handle(.opened)
        #expect(connection.handle(.cancelled) == [.phase(.ended), .ended(.failure(.cancelled))])

        self = PeerConnectionTests()
        _ = connection.handle(.opened)
        _ = take(commands(octet37: 0))
        #expect(connection.handle(.cancelled) == [.send(Self.cancel), .wait(.seconds(1))])
        #expect(take(connected(status: 0x02)) == [.phase(.ended), .ended(.failure(.cancelled))])

        self = PeerConnectionTests()
        connect()
        #expect(connection.handle(.cancelled) == [.send(Self.disconnect), .wait(.seconds(1))])
        #expect(connection.handle(.cancelled) == [])
        #expect(take(Self.disconnected) == [.phase(.ended), .ended(.failure(.cancelled))])
    }

    @Test("Packets cut off anywhere, and random ones, never trap")
    mutating func hostile() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var numbers = Generator(state: seed)
        let packets = [
            commands(octet37: 0), status(0, of: 0x200D), connected(), connected(isEnhanced: true),
            data([0x07, 16, 0, 21, 0]), Self.disconnected, connected(status: 2),
        ]
        for packet in packets {
            for length in 0..<packet.count {
                connect()
                #expect(take(Array(packet.prefix(length))) == [], "\(packet) cut to \(length)")
                self = PeerConnectionTests()
            }
        }
        for _ in 0..<5000 {
            var packet = packets[Int(numbers.next() % UInt64(packets.count))]
            for _ in 0...numbers.next() % 4 {
                packet[Int(numbers.next() % UInt64(packet.count))] = UInt8(truncatingIfNeeded: numbers.next())
            }
            if numbers.next() % 20 == 0 {
                self = PeerConnectionTests()
                _ = connection.handle(.opened)
            }
            _ = take(packet)
        }
    }
}
