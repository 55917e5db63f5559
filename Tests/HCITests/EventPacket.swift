import BeaconModel
import HCI

/// HCI event packets, put together by hand from the Core Specification 5.4, Vol 4, Part E, 5.4.4 and 7.7.65.
enum EventPacket {
    /// An H4 packet: packet type, event code, length, parameters.
    static func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [0x04, code, UInt8(parameters.count)] + parameters
    }

    /// LE Advertising Report: subevent 0x02.
    static func legacy(_ reports: [UInt8]...) -> [UInt8] {
        event(0x3E, [0x02, UInt8(reports.count)] + reports.joined())
    }

    /// LE Extended Advertising Report: subevent 0x0D.
    static func extended(_ reports: [UInt8]...) -> [UInt8] {
        event(0x3E, [0x0D, UInt8(reports.count)] + reports.joined())
    }

    static func legacyReport(
        type: UInt8 = 0x00, addressType: UInt8 = 0x01, address: [UInt8] = address, data: [UInt8] = data,
        rssi: UInt8 = 0xC4
    ) -> [UInt8] {
        [type, addressType] + address + [UInt8(data.count)] + data + [rssi]
    }

    static func extendedReport(
        type: UInt16 = 0x0000, addressType: UInt8 = 0x01, address: [UInt8] = address, data: [UInt8] = data,
        rssi: UInt8 = 0xC4, set: UInt8 = 0xFF
    ) -> [UInt8] {
        let head = [UInt8(type & 0xFF), UInt8(type >> 8), addressType] + address
        // PHYs, advertising set, transmit power; then, after the RSSI, periodic interval and direct address.
        let radio: [UInt8] = [0x01, 0x00, set, 0x7F, rssi, 0x00, 0x00]
        return head + radio + [0x00] + [UInt8](repeating: 0xEE, count: 6) + [UInt8(data.count)] + data
    }

    /// C0:11:22:33:44:01 as it is transmitted: least significant byte first.
    static let address: [UInt8] = [0x01, 0x44, 0x33, 0x22, 0x11, 0xC0]
    static let data: [UInt8] = [0x02, 0x01, 0x06]

    /// One of each kind, and some of many reports.
    static let good: [[UInt8]] = [
        legacy(legacyReport()), legacy(legacyReport(), legacyReport(type: 0x04, data: [])),
        legacy(legacyReport(), legacyReport(data: [UInt8](repeating: 0x09, count: 31)), legacyReport()),
        extended(extendedReport(type: 0x0013)), extended(extendedReport(data: [UInt8](repeating: 0x09, count: 200))),
        extended(extendedReport(), extendedReport(addressType: 0xFF), extendedReport(type: 0x0020)),
        legacy(), extended(),
    ]
}

/// What one or more packets gave.
struct Heard {
    var reports: [AdvertisingReport] = []
    var data: [[UInt8]] = []
    var defects: [AdvertisingEvent.Defect: Int] = [:]

    static let time = Timestamp(microseconds: 1_600_000_000_000_000)
    static let adapter = Adapter(index: 3)

    init(_ packets: [UInt8]...) {
        var batch = HCIPacketBatch()
        for packet in packets { batch.append(packet, time: Self.time, adapter: Self.adapter) }
        self.init(batch)
    }

    init(_ batch: HCIPacketBatch) {
        var reports: [AdvertisingReport] = []
        var data: [[UInt8]] = []
        defects = batch.forEachReport { report, bytes in
            reports.append(report)
            data.append(bytes.withUnsafeBufferPointer { Array($0) })
        }
        self.reports = reports
        self.data = data
    }
}
