import Advertisement
import BeaconModel
import HCI

/// A sequence of packets to whole advertisements.
enum FragmentCheck: ParserCheck {
    static let name = "fragments"

    /// The most bytes that extended advertising data have (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.8.57).
    private static let longest = 1650

    static func violation(for input: [UInt8]) -> String? {
        let sequence = PacketSequence(input)
        var batch = HCIPacketBatch()
        var reader = ReportReader()
        var apart = ReadBatch()
        for packet in sequence.packets {
            batch.append(packet.bytes, time: packet.time, adapter: packet.adapter)
            var single = HCIPacketBatch()
            single.append(packet.bytes, time: packet.time, adapter: packet.adapter)
            apart.add(single, readBy: &reader)
        }
        var together = ReadBatch()
        var other = ReportReader()
        together.add(batch, readBy: &other)
        if sequence.isInOrder, together != apart { return "batches change what is read" }
        let reports = ReadBatch(reportsIn: batch)
        return violation(in: together, of: reports) ?? violation(in: apart, of: reports)
    }

    /// - Parameter parts: the reports of which `whole` was made.
    private static func violation(in whole: ReadBatch, of parts: ReadBatch) -> String? {
        let ends = parts.advertisements.count { $0.report.dataStatus != .moreToCome }
        let missing = ends - whole.advertisements.count
        // An end without its advertisement is that of one which was too long.
        guard (0...(whole.defects[.fragmentTooLong] ?? 0)).contains(missing) else {
            return "\(whole.advertisements.count) advertisements of \(ends)"
        }
        let cutOff = parts.advertisements.count { $0.report.dataStatus == .truncated }
        if whole.defects[.fragmentTruncated] ?? 0 != cutOff { return "\(whole.defects) where \(cutOff) are cut off" }
        var bytes = 0
        for advertisement in whole.advertisements {
            if advertisement.report.dataStatus == .moreToCome { return "an advertisement of which more is to come" }
            if advertisement.data.count > longest { return "\(advertisement.data.count) bytes of data" }
            bytes += advertisement.data.count
            _ = AdvertisingData.decode(advertisement.data.span)
        }
        let received = parts.advertisements.reduce(0) { $0 + $1.data.count }
        return bytes <= received ? nil : "\(bytes) bytes made of \(received)"
    }
}
