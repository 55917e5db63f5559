public import BeaconModel

/// Encoding of btsnoop files in the Linux monitor format (datalink 2001), which distinguishes adapters. A file consists
/// of a file header and records (RFC 1761; record types of the monitor format: BlueZ, `doc/btsnoop.txt`).
public enum BTSnoopEncoding {
    /// Length of `fileHeader` in bytes.
    public static let fileHeaderLength = 16
    /// Maximum number of bytes that `appendPacket` adds.
    public static let longestPacketRecord = recordHeaderLength + longestEvent
    /// Number of bytes that `appendNewIndex` adds.
    public static let newIndexRecordLength = recordHeaderLength + 16

    static let recordHeaderLength = 24
    /// Maximum length of an event: code, length byte and as many parameters as the length byte can express (Bluetooth
    /// Core Specification 5.4, Vol 4, Part E, 5.4.4).
    static let longestEvent = 257
    /// 1970-01-01T00:00:00Z in btsnoop time, which counts microseconds from the start of the year 0.
    package static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// Record types, stored in the lower half of the flags. The upper half holds the adapter index.
    package enum Opcode {
        static let newIndex: UInt16 = 0
        package static let event: UInt16 = 3
    }

    /// Header at the start of every file.
    public static let fileHeader: [UInt8] = {
        var header = Array("btsnoop\0".utf8)
        append(UInt32(1), to: &header)
        append(UInt32(2001), to: &header)
        return header
    }()

    /// Appends the record that introduces an adapter by name. The address is zeroed, because it would identify the
    /// recording machine.
    ///
    /// - Parameter time: the time of the adapter's first packet.
    public static func appendNewIndex(_ adapter: Adapter, time: Timestamp, to bytes: inout [UInt8]) {
        appendHeader(Opcode.newIndex, adapter, time: time, length: 16, originalLength: 16, to: &bytes)
        // Primary controller, no particular bus, zero address, then the name in eight bytes.
        bytes.append(contentsOf: repeatElement(0, count: 8))
        let name = adapter.description.utf8.prefix(8)
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: repeatElement(0, count: 8 - name.count))
    }

    /// Appends a record with one event.
    ///
    /// - Parameter packet: an H4 event packet. Bytes beyond the maximum length of an event are cut off; the record's
    ///   original length then exceeds its length.
    public static func appendPacket(
        _ packet: Span<UInt8>, time: Timestamp, adapter: Adapter, to bytes: inout [UInt8]
    ) {
        let event = packet.extracting(droppingFirst: 1)
        let length = min(event.count, longestEvent)
        appendHeader(
            Opcode.event, adapter, time: time, length: length, originalLength: event.count, to: &bytes)
        event.extracting(first: length).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Whether an H4 packet is an LE Advertising Report or LE Extended Advertising Report event, complete or not
    /// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
    public static func isAdvertisingReport(_ packet: Span<UInt8>) -> Bool {
        packet.count >= 4 && packet[0] == 0x04 && packet[1] == 0x3E && (packet[3] == 0x02 || packet[3] == 0x0D)
    }

    private static func appendHeader(
        _ opcode: UInt16, _ adapter: Adapter, time: Timestamp, length: Int, originalLength: Int,
        to bytes: inout [UInt8]
    ) {
        append(UInt32(clamping: originalLength), to: &bytes)
        append(UInt32(clamping: length), to: &bytes)
        append(UInt32(adapter.index) << 16 | UInt32(opcode), to: &bytes)
        // Number of lost packets known to the recorder.
        append(UInt32(0), to: &bytes)
        // Timestamps are positive and far below the limit.
        append(UInt64(bitPattern: time.microseconds &+ unixEpoch), to: &bytes)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
