public import BeaconModel

/// A batch of received HCI packets, each with its time and adapter; the unit in which reports are passed between tasks.
///
/// The packets share one buffer, so a report needs no allocation of its own.
public struct HCIPacketBatch: Sendable {
    @usableFromInline package var bytes: [UInt8] = []
    @usableFromInline package var packets: [Packet] = []

    @usableFromInline package struct Packet: Sendable {
        @usableFromInline package var time: Timestamp
        @usableFromInline package var adapter: Adapter
        @usableFromInline package var start: Int
        @usableFromInline package var count: Int
    }

    /// Number of packets dropped just before this batch because its consumer was too slow.
    public var droppedPackets = 0

    /// Creates an empty batch.
    public init() {}

    /// Whether there is no packet in the batch.
    public var isEmpty: Bool { packets.isEmpty }
    /// Number of packets. Each can carry several reports or none.
    public var count: Int { packets.count }
    /// Total number of bytes in all packets.
    package var byteCount: Int { bytes.count }
    /// Reception time of the first packet.
    public var firstTime: Timestamp? { packets.first?.time }
    /// Reception time of the last packet.
    public var lastTime: Timestamp? { packets.last?.time }

    /// Appends one H4 packet: a packet-type byte followed by the content.
    public mutating func append(_ packet: some Sequence<UInt8>, time: Timestamp, adapter: Adapter) {
        let start = bytes.count
        bytes.append(contentsOf: packet)
        packets.append(Packet(time: time, adapter: adapter, start: start, count: bytes.count - start))
    }

    /// Appends one packet whose packet-type byte is passed separately.
    package mutating func append(_ packet: some Sequence<UInt8>, ofType type: UInt8, time: Timestamp, adapter: Adapter)
    {
        let start = bytes.count
        bytes.append(type)
        bytes.append(contentsOf: packet)
        packets.append(Packet(time: time, adapter: adapter, start: start, count: bytes.count - start))
    }

    /// Passes every packet to `body` in the order of reception, with its packet-type byte.
    public func forEachPacket<Failure: Error>(
        _ body: (Span<UInt8>, Timestamp, Adapter) throws(Failure) -> Void
    ) throws(Failure) {
        let span = bytes.span
        for packet in packets {
            try body(
                span.extracting(packet.start..<(packet.start + packet.count)), packet.time, packet.adapter)
        }
    }

    /// Passes every advertising report to `body` in the order of reception, with its advertising data.
    ///
    /// - Returns: the number of malformed advertising events, by defect.
    @inlinable public func forEachReport(_ body: (AdvertisingReport, Span<UInt8>) -> Void) -> [AdvertisingEvent.Defect:
        Int]
    {
        var defects: [AdvertisingEvent.Defect: Int] = [:]
        let span = bytes.span
        for packet in packets {
            let defect = AdvertisingEvent.forEachReport(
                in: span.extracting(packet.start..<(packet.start + packet.count)), time: packet.time,
                adapter: packet.adapter, body)
            if let defect { defects[defect, default: 0] += 1 }
        }
        return defects
    }
}
