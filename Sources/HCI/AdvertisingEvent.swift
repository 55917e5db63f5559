public import BeaconModel

/// LE Advertising Report and LE Extended Advertising Report events
/// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
public enum AdvertisingEvent {
    /// A format error in an event.
    public enum Defect: String, Sendable, CaseIterable {
        /// The event is shorter than its own header says.
        case truncatedEvent = "truncated-event"
        /// A report claims more bytes than the event has left.
        case truncatedReport = "truncated-report"
        /// The controller didn't receive all of an advertisement's data.
        case fragmentTruncated = "fragment-truncated"
        /// The parts of an advertisement add up to more bytes than extended advertising data can have.
        case fragmentTooLong = "fragment-too-long"
        /// A partly received advertisement was dropped in favour of a newer one, because too many were being assembled.
        case fragmentTableFull = "fragment-table-full"
        /// The last part of an advertisement did not arrive.
        case fragmentAbandoned = "fragment-abandoned"
    }

    @usableFromInline static let eventPacket: UInt8 = 0x04
    @usableFromInline static let leMetaEvent: UInt8 = 0x3E
    @usableFromInline static let advertisingReport: UInt8 = 0x02
    @usableFromInline static let extendedAdvertisingReport: UInt8 = 0x0D

    /// Passes every report of one H4 packet to `body`. Ignores packets that are not advertising events.
    ///
    /// - Returns: the defect found in the packet, if any. Reports before the defect have already been passed on.
    @inlinable @inline(__always) package static func forEachReport(
        in packet: Span<UInt8>, time: Timestamp, adapter: Adapter, _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) -> Defect? {
        guard packet.count >= 2, packet[0] == eventPacket, packet[1] == leMetaEvent else { return nil }
        guard packet.count >= 4, packet.count - 3 >= Int(packet[2]) else { return .truncatedEvent }
        let parameters = packet.extracting(3..<(3 + Int(packet[2])))
        guard parameters.count >= 1 else { return .truncatedEvent }
        let layout: Layout
        switch parameters[0] {
        case advertisingReport: layout = .legacy
        case extendedAdvertisingReport: layout = .extended
        default: return nil
        }
        guard parameters.count >= 2 else { return .truncatedEvent }
        var offset = 2
        for _ in 0..<parameters[1] {
            guard parameters.count - offset >= layout.headerLength else { return .truncatedReport }
            let dataLength = Int(parameters[offset + layout.headerLength - 1])
            let length = layout.headerLength + dataLength + layout.trailerLength
            guard parameters.count - offset >= length else { return .truncatedReport }
            let report = parameters.extracting(offset..<(offset + length))
            body(
                layout.report(report, time: time, adapter: adapter),
                report.extracting(layout.headerLength..<(layout.headerLength + dataLength)))
            offset += length
        }
        return nil
    }

    /// Layout of one report within its event. The report header ends with the length of the data.
    @usableFromInline package enum Layout {
        case legacy, extended

        @inlinable package var headerLength: Int { self == .legacy ? 9 : 24 }
        /// Length of the part after the data in bytes. In legacy reports the RSSI follows the data.
        @inlinable package var trailerLength: Int { self == .legacy ? 1 : 0 }

        /// Parses the report except its data. The caller must have checked the length.
        @inlinable package func report(_ bytes: Span<UInt8>, time: Timestamp, adapter: Adapter) -> AdvertisingReport {
            switch self {
            case .legacy:
                let type = bytes[0]
                return AdvertisingReport(
                    time: time, adapter: adapter, address: address(in: bytes, at: 2),
                    addressKind: addressKind(bytes[1]), rssi: RSSI(dBm: Int8(bitPattern: bytes[bytes.count - 1])),
                    isConnectable: type == 0x00 || type == 0x01, isScanResponse: type == 0x04)
            case .extended:
                let type = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
                return AdvertisingReport(
                    time: time, adapter: adapter, address: address(in: bytes, at: 3),
                    addressKind: addressKind(bytes[2]), rssi: RSSI(dBm: Int8(bitPattern: bytes[13])),
                    isConnectable: type & 0x01 != 0, isScanResponse: type & 0x08 != 0,
                    // Bit 4: a legacy PDU, which is never split into parts.
                    isExtended: type & 0x10 == 0, dataStatus: dataStatus(type),
                    // 0xFF: a legacy PDU, which belongs to no advertising set.
                    advertisingSet: bytes[11] <= 0x0F ? bytes[11] : nil)
            }
        }

        /// Returns the data status in bits 5 and 6 of the event type. The value 3 is reserved and counts as truncated.
        @inlinable package func dataStatus(_ type: UInt16) -> AdvertisingReport.DataStatus {
            switch type >> 5 & 3 {
            case 0: .complete
            case 1: .moreToCome
            default: .truncated
            }
        }

        /// Reads the address as the lower 6 of 8 bytes loaded at once. In both layouts at least 2 more bytes follow the
        /// address.
        @inlinable package func address(in bytes: Span<UInt8>, at offset: Int) -> BluetoothAddress {
            let bits = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            return BluetoothAddress(bits: UInt64(littleEndian: bits))
        }

        @inlinable package func addressKind(_ byte: UInt8) -> AdvertisingReport.AddressKind {
            switch byte {
            case 0x00, 0x02: .public
            case 0xFF: .anonymous
            default: .random
            }
        }
    }
}
