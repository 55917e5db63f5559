package import BeaconModel

/// Takes from advertising reports who it is that they come from, and leaves what somebody who looks for a fault needs:
/// the form of the packets, times, RSSI, event types, AD types and lengths, flags, power, services and companies.
///
/// What is equal in a recording stays equal, as long as the value lives; nothing else can be learned from a substitute.
/// Bytes that aren't understood are replaced too.
package struct Pseudonymisation: Sendable {
    private let substitutes: AdvertisingDataPseudonyms
    private var chains = FragmentChains()

    /// Under a random key that isn't kept.
    package init() { self.init(key: PseudonymKey()) }

    package init(key: PseudonymKey) { substitutes = AdvertisingDataPseudonyms(key: key) }

    /// Replaces in place what has to be in an H4 packet with an LE Advertising Report or LE Extended Advertising Report
    /// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13), whole or damaged.
    package mutating func apply(to packet: inout [UInt8], time: Timestamp, adapter: Adapter) {
        // Packet type, event code, length, subevent, number of reports.
        guard packet.count > 5 else { return }
        let end = min(packet.count, 3 + Int(packet[2]))
        let layout: Layout = packet[3] == 0x0D ? .extended : .legacy
        var offset = 5
        for _ in 0..<packet[4] {
            guard let report = layout.report(in: packet, at: offset, before: end) else { break }
            replace(report, layout, in: &packet, time: time, adapter: adapter)
            offset = report.end
        }
        // A report that isn't there whole, and bytes after the last one.
        let lengthByte = offset + layout.lengthOffset
        let length = lengthByte < packet.count ? packet[lengthByte] : 0
        substitutes.fill(offset..<packet.count, of: &packet)
        // With another length it might be whole.
        if lengthByte < packet.count { packet[lengthByte] = length }
    }

    private mutating func replace(
        _ report: Layout.Report, _ layout: Layout, in packet: inout [UInt8], time: Timestamp, adapter: Adapter
    ) {
        switch layout {
        case .legacy:
            substitutes.replaceAddress(at: report.start + 2, type: packet[report.start + 1], in: &packet)
            substitutes.replaceStructures(report.data, of: &packet)
        case .extended:
            let key = FragmentChains.Key(
                adapter: adapter, address: Array(packet[(report.start + 2)..<(report.start + 9)]),
                advertisingSet: packet[report.start + 11])
            let isContinued = packet[report.start] & 0x60 == 0x20
            // A legacy PDU (bit 4) with all of its data is no part of anything.
            let isWhole = packet[report.start] & 0x70 == 0x10
            let isContinuation = !isWhole && chains.isContinuation(key, at: time)
            if !isWhole { chains.note(key, isContinued: isContinued, at: time) }
            substitutes.replaceAddress(at: report.start + 3, type: packet[report.start + 2], in: &packet)
            substitutes.replaceAddress(at: report.start + 17, type: packet[report.start + 16], in: &packet)
            if isContinuation {
                substitutes.fill(report.data, of: &packet)
            } else {
                substitutes.replaceStructures(report.data, of: &packet)
            }
        }
    }

    /// How one report lies in its event.
    private enum Layout {
        case legacy, extended

        package struct Report {
            var start: Int
            var data: Range<Int>
            var end: Int
        }

        /// Where the length of the data is; the data follows it.
        var lengthOffset: Int { self == .legacy ? 8 : 23 }
        /// In legacy reports the RSSI follows the data.
        var trailerLength: Int { self == .legacy ? 1 : 0 }

        /// `nil` when the report isn't there whole.
        func report(in packet: [UInt8], at start: Int, before limit: Int) -> Report? {
            let dataStart = start + lengthOffset + 1
            guard dataStart <= limit else { return nil }
            let dataEnd = dataStart + Int(packet[dataStart - 1])
            guard dataEnd + trailerLength <= limit else { return nil }
            return Report(start: start, data: dataStart..<dataEnd, end: dataEnd + trailerLength)
        }
    }
}
