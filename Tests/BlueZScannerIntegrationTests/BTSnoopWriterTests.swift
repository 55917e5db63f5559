import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import BlueZScanner
@testable import HCI
@testable import HCITests

@Suite("BTSnoopWriter")
struct BTSnoopWriterTests {
    private static let time = Timestamp(microseconds: 1_591_785_365_611_859)

    /// A path at which nothing is.
    private func withPath(_ body: (String) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        try body(directory.path + "/recording.btsnoop")
    }

    private func packets(in path: String) throws -> [(bytes: [UInt8], time: Timestamp, adapter: Adapter)] {
        var file = try BTSnoopFile(path: path)
        var packets: [(bytes: [UInt8], time: Timestamp, adapter: Adapter)] = []
        while let batch = try file.next(limit: 3) {
            batch.forEachPacket { bytes, time, adapter in
                packets.append((bytes.withUnsafeBufferPointer { Array($0) }, time, adapter))
            }
        }
        return packets
    }

    @Test("What is written is read again: bytes, times to the microsecond, adapters")
    func roundTrip() throws {
        try withPath { path in
            var writer = try BTSnoopWriter(creating: path)
            for (index, packet) in EventPacket.good.enumerated() {
                writer.append(
                    packet.span, time: Self.time + .microseconds(index), adapter: Adapter(index: UInt16(index * 9000)))
            }
            try writer.flush()
            let packets = try packets(in: path)
            #expect(packets.map(\.bytes) == EventPacket.good)
            #expect(packets.map(\.time) == EventPacket.good.indices.map { Self.time + .microseconds($0) })
            #expect(packets.map(\.adapter.index) == EventPacket.good.indices.map { UInt16($0 * 9000) })
        }
    }

    @Test("A file is a header, a record that names the adapter, and the events without their packet type")
    func bytes() throws {
        try withPath { path in
            var writer = try BTSnoopWriter(creating: path)
            let packet = EventPacket.legacy()
            for _ in 0..<2 { writer.append(packet.span, time: Self.time, adapter: Adapter(index: 2)) }
            try writer.flush()
            let sinceYear2000 = Self.time.microseconds - 946_684_800_000_000
            let index = [UInt8](repeating: 0, count: 8) + Array("hci2\0\0\0\0".utf8)
            let event = BTSnoop.record(Array(packet.dropFirst()), flags: 0x0002_0003, time: sinceYear2000)
            #expect(
                try FileContents.read(path, limit: 1000)
                    == BTSnoop.header(datalink: BTSnoop.monitor)
                    + BTSnoop.record(index, flags: 0x0002_0000, time: sinceYear2000) + event + event)
        }
    }

    @Test("The file grows by no more than was said, and is as long as is said")
    func size() throws {
        try withPath { path in
            var writer = try BTSnoopWriter(creating: path)
            for packet in EventPacket.good + [EventPacket.event(0x3E, [0x0D] + [UInt8](repeating: 0, count: 254))] {
                for adapter in [Adapter(index: 0), Adapter(index: 65_535)] {
                    let (before, room) = (writer.size, writer.room(for: adapter))
                    writer.append(packet.span, time: Self.time, adapter: adapter)
                    #expect(writer.size <= before + room)
                }
            }
            try writer.flush()
            #expect(try FileContents.read(path, limit: 100_000).count == writer.size)
        }
    }

    @Test("What is longer than an event can be is cut off, and the record says how long it was")
    func overlong() throws {
        try withPath { path in
            var writer = try BTSnoopWriter(creating: path)
            let packet: [UInt8] = [0x04, 0x3E, 0xFF, 0x02] + [UInt8](repeating: 1, count: 60_000)
            writer.append(packet.span, time: Self.time, adapter: Adapter(index: 0))
            writer.append(EventPacket.legacy().span, time: Self.time, adapter: Adapter(index: 0))
            try writer.flush()
            #expect(try packets(in: path).map(\.bytes) == [Array(packet.prefix(258)), EventPacket.legacy()])
            let record = try FileContents.read(path, limit: 1000).dropFirst(16 + 40).prefix(8)
            #expect(Array(record) == BTSnoop.bigEndian(UInt32(60_003)) + BTSnoop.bigEndian(UInt32(257)))
        }
    }

    @Test("The earliest and the latest time are read again", arguments: [Timestamp.epoch, .latest])
    func extremeTimes(time: Timestamp) throws {
        try withPath { path in
            var writer = try BTSnoopWriter(creating: path)
            writer.append(EventPacket.legacy().span, time: time, adapter: Adapter(index: 0))
            try writer.flush()
            #expect(try packets(in: path).map(\.time) == [time])
        }
    }

    @Test("A file that is there is refused and stays as it is")
    func existing() throws {
        let file = try TemporaryFile([1, 2, 3])
        do throws(SystemError) {
            _ = try BTSnoopWriter(creating: file.path)
            Issue.record("no error")
        } catch {
            #expect(error.errorNumber == EEXIST)
        }
        #expect(try FileContents.read(file.path, limit: 10) == [1, 2, 3])
    }

    @Test("Only advertising reports count as such, whole or cut off")
    func filter() {
        #expect(
            EventPacket.good.map { BTSnoopEncoding.isAdvertisingReport($0.span) } == EventPacket.good.map { _ in true })
        let others: [[UInt8]] = [
            [], [0x04, 0x3E, 0x01], [0x04, 0x3E, 0x01, 0x01], [0x04, 0x0E, 0x01, 0x02], [0x01, 0x3E, 0x01, 0x02],
        ]
        #expect(others.map { BTSnoopEncoding.isAdvertisingReport($0.span) } == others.map { _ in false })
    }
}
