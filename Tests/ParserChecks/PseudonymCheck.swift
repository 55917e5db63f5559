import Advertisement
import BeaconModel
import HCI

@testable import Diagnostics

/// A sequence of packets to packets that don't say who.
enum PseudonymCheck: ParserCheck {
    static let name = "pseudonyms"

    static func violation(for input: [UInt8]) -> String? {
        let key = PseudonymKey(secret: Array("a secret of the tests".utf8))
        var first = Pseudonymisation(key: key)
        var second = Pseudonymisation(key: key)
        for packet in PacketSequence(input).packets where BTSnoopEncoding.isAdvertisingReport(packet.bytes.span) {
            var bytes = packet.bytes
            first.apply(to: &bytes, time: packet.time, adapter: packet.adapter)
            var again = packet.bytes
            second.apply(to: &again, time: packet.time, adapter: packet.adapter)
            if again != bytes { return "equal packets get different substitutes" }
            if bytes.count != packet.bytes.count { return "a packet has another length" }
            if bytes.prefix(5) != packet.bytes.prefix(5) { return "the head of an event is changed" }
            if let violation = violation(from: reports(packet.bytes), to: reports(bytes)) { return violation }
        }
        return nil
    }

    private static func reports(_ packet: [UInt8]) -> ReadBatch {
        var batch = HCIPacketBatch()
        batch.append(packet, time: .epoch, adapter: Adapter(index: 0))
        return ReadBatch(reportsIn: batch)
    }

    /// Everything but the address and the data stays.
    private static func violation(from before: ReadBatch, to after: ReadBatch) -> String? {
        guard before.defects == after.defects, before.advertisements.count == after.advertisements.count else {
            return "a packet is broken in another way"
        }
        for (before, after) in zip(before.advertisements, after.advertisements) {
            var report = after.report
            report.address = before.report.address
            guard report == before.report, after.data.count == before.data.count else { return "\(before) is \(after)" }
            if before.report.dataStatus == .complete, !before.report.isExtended,
                let violation = violation(from: before.data, to: after.data)
            {
                return violation
            }
        }
        return nil
    }

    /// What can't be a part of more is of the same kind, and wrong in the same way.
    private static func violation(from before: [UInt8], to after: [UInt8]) -> String? {
        let old = AdvertisingData.decode(before.span)
        let new = AdvertisingData.decode(after.span)
        if old.identity?.kind != new.identity?.kind { return "\(old) is \(new)" }
        if old.defect != new.defect { return "\(old) is \(new)" }
        switch old.identity?.kind {
        // Nothing in these says who.
        case nil, .eddystoneURL, .eddystoneTLM, .appleOverflow, .appleDevice, .bleProximity, .c19x, .herald: return nil
        case .further: if case .contactApp = old.identity { return nil }
        case .iBeacon, .altBeacon, .eddystoneUID, .eddystoneEID, .exposureNotification: break
        }
        return old.identity == new.identity ? "\(old) keeps its identity" : nil
    }
}
