import Advertisement
import BeaconModel
import ModuleEmulator
import Testing

@testable import Integrations
@testable import RecordContract
@testable import RecordContractTests

@Suite struct RaddecOutputTests {
    private let settings = OutputSettings(raddec: .init())

    private struct Raddec: Decodable {
        struct Entry: Decodable {
            var receiverId: String
            var receiverIdType: Int
            var rssi: Int
            var numberOfDecodings: Int
        }
        var transmitterId: String
        var transmitterIdType: Int
        var rssiSignature: [Entry]
        var packets: [String]
        var timestamp: Int64
    }

    private func message(_ decodings: BeaconDecodings, hears: [Adapter: BluetoothAddress] = [:]) throws -> MQTTMessage {
        var outputs = Outputs.told(settings)
        _ = outputs.batch(.radio(.hearing, addresses: hears))
        return try #require(outputs.batch(.decodings([decodings])).gateway.first)
    }

    private func raddec(_ decodings: BeaconDecodings, hears: [Adapter: BluetoothAddress] = [:]) throws -> Raddec {
        try JSON.decode(Raddec.self, from: message(decodings, hears: hears).payload)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }

    @Test("A raddec is on the topic of barnacles-mqtt, not retained, of QoS 0")
    func golden() throws {
        let message = try message(
            Fixtures.decodings(Fixtures.badge), hears: [Adapter(index: 0): Fixtures.adapterAddress])
        let topic = try Golden.line("raddec-topic.txt")
        let payload = try Golden.line("raddec.json")
        #expect(message.topic == topic)
        #expect(message.text == payload)
        #expect(!message.isRetained)
        #expect(message.qualityOfService == .atMostOnce)
    }

    @Test("The transmitter is a static random address, the same at every gateway, another for another beacon")
    func transmitter() throws {
        let one = try raddec(Fixtures.decodings(Fixtures.badge))
        let other = try raddec(Fixtures.decodings(Fixtures.door.beacon))
        #expect(one.transmitterIdType == 3)
        #expect(bytes(one.transmitterId).count == 6)
        let first = try #require(bytes(one.transmitterId).first)
        #expect(first & 0xC0 == 0xC0)
        #expect(one.transmitterId != other.transmitterId)
        var elsewhere = Fixtures.gateway
        elsewhere.place.gateway = "gw-9"
        var outputs = Outputs(settings: settings, gateway: elsewhere)
        _ = outputs.batch(.named([Fixtures.namedBadge]))
        let same = outputs.batch(.decodings([Fixtures.decodings(Fixtures.badge)])).gateway.first?.text
        #expect(same?.contains(#""transmitterId":"\#(one.transmitterId)""#) == true)
    }

    @Test("Its packet is an ADV_NONCONN_IND of that address, of which an iBeacon decodes")
    func packet() throws {
        let raddec = try raddec(Fixtures.decodings(Fixtures.badge))
        let packet = bytes(try #require(raddec.packets.first))
        #expect(raddec.packets.count == 1)
        #expect(packet.prefix(2) == [0x42, UInt8(packet.count - 2)])
        #expect(Array(packet.dropFirst(2).prefix(6).reversed()) == bytes(raddec.transmitterId))
        let data = Array(packet.dropFirst(8))
        let decoded = AdvertisingData.decode(data.span)
        #expect(decoded.identity == .iBeacon(Fixtures.badge, measuredPower: -59))
    }

    @Test("A receiver is its adapter's public address; one without is named by a random address of the gateway's")
    func receivers() throws {
        let raddec = try raddec(
            Fixtures.decodings(Fixtures.badge, [0, 1, 2]),
            hears: [Adapter(index: 0): Fixtures.adapterAddress, Adapter(index: 1): BluetoothAddress(bits: 0)])
        #expect(raddec.rssiSignature.map(\.receiverIdType) == [2, 3, 3])
        #expect(raddec.rssiSignature.first?.receiverId == "001a7dda7113")
        #expect(Set(raddec.rssiSignature.map(\.receiverId)).count == 3)
    }

    @Test("A count of decodings fits into a byte, as the library's does")
    func count() throws {
        let raddec = try raddec(Fixtures.decodings(Fixtures.badge, count: 3000))
        #expect(raddec.rssiSignature.first?.numberOfDecodings == 255)
    }

    @Test("Strangers have none")
    func strangers() {
        var outputs = Outputs.told(settings)
        #expect(outputs.batch(.decodings([Fixtures.decodings(Fixtures.stranger)])).isEmpty)
    }
}

@Suite struct DecodingTallyTests {
    private let rssi = RSSI(dBm: -60)

    @Test("Decodings of named beacons are counted by adapter, with their mean, and begin anew when they were taken")
    func counts() {
        var tally = DecodingTally()
        tally.listen(for: [Fixtures.badge])
        for (adapter, dBm) in [(0, -60), (0, -63), (1, -50)] as [(UInt16, Int8)] {
            tally.add(
                Fixtures.badge, measuredPower: -55, adapter: Adapter(index: adapter), rssi: RSSI(dBm: dBm),
                at: Fixtures.noon)
        }
        #expect(
            tally.take() == [
                BeaconDecodings(
                    beacon: Fixtures.badge, measuredPower: -55, lastAt: Fixtures.noon,
                    receivers: [
                        .init(adapter: Adapter(index: 1), count: 1, rssi: -50),
                        .init(adapter: Adapter(index: 0), count: 2, rssi: -62),
                    ])
            ])
        #expect(tally.take().isEmpty)
    }

    @Test("Nobody else is counted, nor a packet whose strength wasn't measured")
    func others() {
        var tally = DecodingTally()
        tally.listen(for: [Fixtures.badge])
        tally.add(Fixtures.stranger, measuredPower: -59, adapter: Adapter(index: 0), rssi: rssi, at: Fixtures.noon)
        tally.add(Fixtures.badge, measuredPower: -59, adapter: Adapter(index: 0), rssi: nil, at: Fixtures.noon)
        #expect(tally.take().isEmpty)
    }

    @Test("Adapters beyond 16 aren't told apart any more")
    func bound() {
        var tally = DecodingTally()
        tally.listen(for: [Fixtures.badge])
        for index in 0..<100 as Range<UInt16> {
            tally.add(
                Fixtures.badge, measuredPower: nil, adapter: Adapter(index: index), rssi: rssi, at: Fixtures.noon)
        }
        #expect(tally.take().first?.receivers.count == 16)
    }
}
