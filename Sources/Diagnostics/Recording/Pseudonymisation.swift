package import BeaconModel

/// Removal of identities from advertising reports. It keeps what fault analysis needs: the form of the packets, times,
/// RSSI, event types, AD types and lengths, flags, power, services and companies.
///
/// Equal values in a recording stay equal as long as this instance exists; nothing else can be learned from a
/// substitute. Bytes of unknown meaning are replaced too.
package struct Pseudonymisation: Sendable {
    private let substitutes: AdvertisingDataPseudonyms
    private var chains = FragmentChains()

    /// Uses a random key that is not stored.
    package init() { self.init(key: PseudonymKey()) }

    package init(key: PseudonymKey) { substitutes = AdvertisingDataPseudonyms(key: key) }

    /// Replaces identifying values in place. `packet` must be an H4 packet with an LE Advertising Report or LE Extended
    /// Advertising Report (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13), complete or
    /// damaged.
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
        // Truncated report, and bytes after the last one.
        let lengthByte = offset + layout.lengthOffset
        let length = lengthByte < packet.count ? packet[lengthByte] : 0
        substitutes.fill(offset..<packet.count, of: &packet)
        // With another length the report might look complete.
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
            // A legacy PDU (bit 4) with all of its data is not part of a chain.
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

    /// Layout of one report in its event.
    private enum Layout {
        case legacy, extended

        package struct Report {
            var start: Int
            var data: Range<Int>
            var end: Int
        }

        /// Offset of the data length. The data follows it.
        var lengthOffset: Int { self == .legacy ? 8 : 23 }
        /// Bytes after the data: in legacy reports the RSSI follows it.
        var trailerLength: Int { self == .legacy ? 1 : 0 }

        /// Returns the report that begins at `start`; `nil` when it is truncated.
        func report(in packet: [UInt8], at start: Int, before limit: Int) -> Report? {
            let dataStart = start + lengthOffset + 1
            guard dataStart <= limit else { return nil }
            let dataEnd = dataStart + Int(packet[dataStart - 1])
            guard dataEnd + trailerLength <= limit else { return nil }
            return Report(start: start, data: dataStart..<dataEnd, end: dataEnd + trailerLength)
        }
    }
}
