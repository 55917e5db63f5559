public import BeaconModel

/// The bytes of a btsnoop file in the Linux monitor format (datalink 2001), which tells adapters apart: a file header,
/// then records (RFC 1761; the monitor's kinds of record: BlueZ, `doc/btsnoop.txt`).
public enum BTSnoopEncoding {
    /// Bytes of `fileHeader`.
    public static let fileHeaderLength = 16
    /// The most bytes that `appendPacket` adds.
    public static let longestPacketRecord = recordHeaderLength + longestEvent
    /// Bytes that `appendNewIndex` adds.
    public static let newIndexRecordLength = recordHeaderLength + 16

    static let recordHeaderLength = 24
    /// Event code, length, and as many parameters as a length can say
    /// (Bluetooth Core Specification 5.4, Vol 4, Part E, 5.4.4).
    static let longestEvent = 257
    /// btsnoop counts microseconds from the start of the year 0; this is 1970-01-01T00:00:00Z.
    package static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// Kinds of record, in the lower half of the flags; the upper half is the adapter.
    package enum Opcode {
        static let newIndex: UInt16 = 0
        package static let event: UInt16 = 3
    }

    /// With which a file begins.
    public static let fileHeader: [UInt8] = {
        var header = Array("btsnoop\0".utf8)
        append(UInt32(1), to: &header)
        append(UInt32(2001), to: &header)
        return header
    }()

    /// Adds the record that introduces an adapter by its name. Its address is left out (zeros), because it says which
    /// machine recorded.
    ///
    /// - Parameter time: when its first packet came.
    public static func appendNewIndex(_ adapter: Adapter, time: Timestamp, to bytes: inout [UInt8]) {
        appendHeader(Opcode.newIndex, adapter, time: time, length: 16, originalLength: 16, to: &bytes)
        // Primary controller, no particular bus, address, name in eight bytes.
        bytes.append(contentsOf: repeatElement(0, count: 8))
        let name = adapter.description.utf8.prefix(8)
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: repeatElement(0, count: 8 - name.count))
    }

    /// Adds a record with one event.
    ///
    /// - Parameter packet: an H4 event packet. What is longer than an event can be is cut off, of which the record's
    ///   original length tells.
    public static func appendPacket(
        _ packet: Span<UInt8>, time: Timestamp, adapter: Adapter, to bytes: inout [UInt8]
    ) {
        let event = packet.extracting(droppingFirst: 1)
        let length = min(event.count, longestEvent)
        appendHeader(
            Opcode.event, adapter, time: time, length: length, originalLength: event.count, to: &bytes)
        event.extracting(first: length).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Whether an H4 packet is an LE Advertising Report or LE Extended Advertising Report event, whole or not
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
        // Packets that were lost, as far as the recorder knows.
        append(UInt32(0), to: &bytes)
        // A timestamp is positive and far below the limit.
        append(UInt64(bitPattern: time.microseconds &+ unixEpoch), to: &bytes)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
