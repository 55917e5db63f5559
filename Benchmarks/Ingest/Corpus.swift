import Advertisement
import BeaconModel
import HCI

/// A fixed mix of advertisements, as HCI packets: what a corridor with badges, phones, laptops and headphones sends.
struct Corpus {
    struct Packet {
        var bytes: [UInt8]
        var time: Timestamp
    }

    private(set) var packets: [Packet] = []
    /// The advertising data of each report.
    private(set) var data: [[UInt8]] = []

    static let adapter = Adapter(index: 0)
    static let start = Timestamp(microseconds: 1_605_441_600_000_000)
    static let badges = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)

    /// - Parameter count: how many packets; they come at the rate at which one radio can hear legacy advertisements.
    init(count: Int) {
        var random = Generator(state: 0x1234_5678_9ABC_DEF1)
        for index in 0..<count {
            let kind = random.next(below: 100)
            let device = random.next(below: 50)
            let data = Self.data(kind, device, &random)
            let address = Self.address(of: device, kind)
            let rssi = UInt8(bitPattern: Int8(clamping: -50 - Int(random.next(below: 45))))
            let bytes =
                kind % 20 == 19
                ? Self.extended(data, address, rssi) : Self.legacy(data, address, rssi, kind < 60 ? 0x03 : 0x00)
            packets.append(Packet(bytes: bytes, time: Self.start + .microseconds(385 * index)))
            self.data.append(data)
        }
    }

    /// As many packets of the mix, each with a few bytes changed or cut off.
    var damaged: Corpus {
        var random = Generator(state: 0xBAD0_BAD0_BAD0_BAD1)
        var damaged = self
        for index in packets.indices {
            var bytes = packets[index].bytes
            for _ in 0..<(1 + random.next(below: 3)) {
                // Rarely the lengths and types at the beginning, or nothing else would ever be damaged.
                let first: UInt64 = random.next(below: 8) == 0 ? 0 : 13
                let place = Int(first + random.next(below: UInt64(bytes.count) - first))
                bytes[place] = random.next(below: 3) == 0 ? UInt8(random.next(below: 32)) : random.bytes(1)[0]
            }
            if random.next(below: 8) == 0 { bytes.removeLast(Int(random.next(below: UInt64(bytes.count)))) }
            damaged.packets[index].bytes = bytes
            damaged.data[index] = Array(bytes.dropFirst(14))
        }
        return damaged
    }

    var batch: HCIPacketBatch {
        var batch = HCIPacketBatch()
        for packet in packets { batch.append(packet.bytes, time: packet.time, adapter: Self.adapter) }
        return batch
    }

    private static func data(_ kind: UInt64, _ device: UInt64, _ random: inout Generator) -> [UInt8] {
        let flags: [UInt8] = [0x02, 0x01, 0x06]
        switch kind {
        case 0..<40:
            let badge = BeaconID(uuid: badges, major: 7, minor: UInt16(truncatingIfNeeded: device))
            return IBeacon.advertisingData(badge, measuredPower: -59)
        case 40..<55:
            // Exposure Notification; the identifier is the device's.
            let identifier = (0..<16).map { UInt8(truncatingIfNeeded: device &* 37 &+ $0) }
            return [0x02, 0x01, 0x1A, 0x03, 0x03, 0x6F, 0xFD, 0x17, 0x16, 0x6F, 0xFD] + identifier + [1, 2, 3, 4]
        case 55..<59:
            // Eddystone UID.
            return flags + [0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + random.bytes(16) + [0, 0]
        case 59..<61:
            // Eddystone TLM.
            return flags + [0x03, 0x03, 0xAA, 0xFE, 0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00] + random.bytes(12)
        case 61:
            // Eddystone URL: https://example.com
            return flags + [0x03, 0x03, 0xAA, 0xFE, 0x0E, 0x16, 0xAA, 0xFE, 0x10, 0xEE, 0x03]
                + Array("example".utf8) + [0x07]
        case 62:
            // AltBeacon.
            return flags + [0x1B, 0xFF, 0x18, 0x01, 0xBE, 0xAC] + random.bytes(20) + [0xC5, 0x00]
        case 63..<80:
            // Apple Continuity "nearby info".
            return [0x02, 0x01, 0x1A, 0x02, 0x0A, 0x0C, 0x0B, 0xFF, 0x4C, 0x00, 0x10, 0x06] + random.bytes(6)
        case 80..<88:
            // Microsoft, Connected Devices Platform.
            return [0x1E, 0xFF, 0x06, 0x00, 0x01, 0x09, 0x20, 0x22] + random.bytes(23)
        case 88:
            // The service of BLE-Proximity.
            return flags + [0x11, 0x07, 0xF9, 0x1A, 0xE0, 0x66, 0x1C, 0x73, 0x74, 0x90]
                + [0xF7, 0x4A, 0xD6, 0x65, 0x8E, 0x29, 0x99, 0x8E]
        case 89:
            // Herald's service data.
            return flags + [0x0C, 0x16, 0xF6, 0xFC] + random.bytes(9)
        case 90:
            // Apple's overflow area.
            return flags + [0x14, 0xFF, 0x4C, 0x00, 0x01] + random.bytes(16)
        case 91..<97:
            // A named device with services and its transmit power.
            return flags + [0x05, 0x03, 0x0F, 0x18, 0x0A, 0x18, 0x0B, 0x09] + Array("Headphones".utf8)
                + [0x02, 0x0A, 0x04]
        case 97..<99:
            return []
        default:
            // A structure that claims more than there is.
            return flags + [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15, 1, 2, 3]
        }
    }

    private static func address(of device: UInt64, _ kind: UInt64) -> [UInt8] {
        let bits = 0xC000_0000_0000 | device << 8 | kind / 20
        return (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    }

    /// LE Advertising Report (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2).
    static func legacy(_ data: [UInt8], _ address: [UInt8], _ rssi: UInt8, _ type: UInt8) -> [UInt8] {
        let report = [type, 0x01] + address + [UInt8(clamping: data.count)] + data + [rssi]
        return [0x04, 0x3E, UInt8(clamping: report.count + 2), 0x02, 0x01] + report
    }

    /// LE Extended Advertising Report with a legacy PDU (7.7.65.13).
    private static func extended(_ data: [UInt8], _ address: [UInt8], _ rssi: UInt8) -> [UInt8] {
        let head: [UInt8] = [0x10, 0x00, 0x01]
        let radio: [UInt8] = [0x01, 0x00, 0xFF, 0x7F, rssi, 0x00, 0x00]
        let report = head + address + radio + [UInt8](repeating: 0, count: 7) + [UInt8(clamping: data.count)] + data
        return [0x04, 0x3E, UInt8(clamping: report.count + 2), 0x0D, 0x01] + report
    }
}

/// xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003).
struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func next(below bound: UInt64) -> UInt64 { (next() >> 16) % bound }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) } }
}
