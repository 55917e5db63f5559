import BeaconModel
import HCI

/// One H4 packet to its advertising reports.
enum HCIEventCheck: ParserCheck {
    static let name = "hci-event"

    private static let time = Timestamp(microseconds: 1_600_000_000_000_000)
    private static let adapter = Adapter(index: 3)

    static func violation(for packet: [UInt8]) -> String? {
        var batch = HCIPacketBatch()
        batch.append(packet, time: time, adapter: adapter)
        let read = ReadBatch(reportsIn: batch)

        // Between others, none of which is an event.
        var crowded = HCIPacketBatch()
        let neighbour = [UInt8](repeating: 0xA5, count: 300)
        for bytes in [neighbour, packet, neighbour] { crowded.append(bytes, time: time, adapter: adapter) }
        if ReadBatch(reportsIn: crowded) != read { return "what is beside a packet changes its reports" }

        let expected = EventReference(packet)
        guard read.advertisements.count == expected.reports.count else {
            return "\(read.advertisements.count) reports where there are \(expected.reports.count)"
        }
        if read.defects.values.reduce(0, +) != (expected.isBroken ? 1 : 0) { return "defects: \(read.defects)" }
        for (read, expected) in zip(read.advertisements, expected.reports) {
            let report = read.report
            let kind: AdvertisingReport.AddressKind =
                switch expected.addressType {
                case 0, 2: .public
                case 0xFF: .anonymous
                default: .random
                }
            guard read.data == expected.data, report.address.bits == expected.address, report.addressKind == kind,
                report.rssi == RSSI(dBm: expected.rssi), report.time == time, report.adapter == adapter,
                report.advertisingSet ?? 0 <= 0x0F
            else { return "\(read) where there is \(expected)" }
        }
        return nil
    }
}
