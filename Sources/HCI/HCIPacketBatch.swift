public import BeaconModel

/// HCI packets as they were received, each with its time and adapter; the unit in which reports cross tasks.
///
/// The packets lie in one buffer, so that a report costs no allocation of its own.
public struct HCIPacketBatch: Sendable {
    @usableFromInline package var bytes: [UInt8] = []
    @usableFromInline package var packets: [Packet] = []

    @usableFromInline package struct Packet: Sendable {
        @usableFromInline package var time: Timestamp
        @usableFromInline package var adapter: Adapter
        @usableFromInline package var start: Int
        @usableFromInline package var count: Int
    }

    /// Packets that were lost just before this batch because its consumer was too slow.
    public var droppedPackets = 0

    public init() {}

    public var isEmpty: Bool { packets.isEmpty }
    /// Packets, of which each can carry several reports or none.
    public var count: Int { packets.count }
    /// Bytes of all packets.
    package var byteCount: Int { bytes.count }
    /// When the first packet was received.
    public var firstTime: Timestamp? { packets.first?.time }
    /// When the last packet was received.
    public var lastTime: Timestamp? { packets.last?.time }

    /// Adds one H4 packet: a packet-type byte and what follows it.
    public mutating func append(_ packet: some Sequence<UInt8>, time: Timestamp, adapter: Adapter) {
        let start = bytes.count
        bytes.append(contentsOf: packet)
        packets.append(Packet(time: time, adapter: adapter, start: start, count: bytes.count - start))
    }

    /// Adds one packet whose packet-type byte is apart from it.
    package mutating func append(_ packet: some Sequence<UInt8>, ofType type: UInt8, time: Timestamp, adapter: Adapter)
    {
        let start = bytes.count
        bytes.append(type)
        bytes.append(contentsOf: packet)
        packets.append(Packet(time: time, adapter: adapter, start: start, count: bytes.count - start))
    }

    /// Hands every packet to `body`, in the order of reception, with its packet-type byte.
    public func forEachPacket<Failure: Error>(
        _ body: (Span<UInt8>, Timestamp, Adapter) throws(Failure) -> Void
    ) throws(Failure) {
        let span = bytes.span
        for packet in packets {
            try body(
                span.extracting(packet.start..<(packet.start + packet.count)), packet.time, packet.adapter)
        }
    }

    /// Hands every advertising report to `body`, in the order of reception, with its advertising data.
    ///
    /// - Returns: how many packets were advertising events that broke the format, by defect.
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
