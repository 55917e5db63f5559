import BeaconModel
import HCI
import TestValues
import Testing

@Suite("ReportReader")
struct ReportReaderTests {
    private typealias Packet = EventPacket

    /// What came out, one string of bytes for each advertisement.
    private struct Reading {
        var reader = ReportReader()
        var reports: [AdvertisingReport] = []
        var data: [[UInt8]] = []
        var defects: [AdvertisingEvent.Defect: Int] = [:]

        mutating func read(_ packets: [[UInt8]], at time: Timestamp = Heard.time) {
            var batch = HCIPacketBatch()
            for packet in packets { batch.append(packet, time: time, adapter: Heard.adapter) }
            read(batch)
        }

        mutating func read(_ batch: HCIPacketBatch) {
            var reports: [AdvertisingReport] = []
            var data: [[UInt8]] = []
            let found = reader.forEachAdvertisement(in: batch) { report, bytes in
                reports.append(report)
                data.append(bytes.withUnsafeBufferPointer { Array($0) })
            }
            self.reports += reports
            self.data += data
            defects.merge(found, uniquingKeysWith: +)
        }
    }

    private static let more: UInt16 = 0x0020
    private static let cutOff: UInt16 = 0x0040

    private func part(
        _ type: UInt16, _ data: [UInt8], set: UInt8 = 0, address: UInt8 = 1, rssi: UInt8 = 0xC4
    ) -> [UInt8] {
        Packet.extended(
            Packet.extendedReport(type: type, address: [address, 0, 0, 0, 0, 0xC0], data: data, rssi: rssi, set: set))
    }

    @Test("Three parts make one advertisement, with the strength of the last")
    func threeParts() {
        var reading = Reading()
        reading.read([
            part(Self.more, [1, 2], rssi: 0xC0), part(Self.more, [3], rssi: 0xC1), part(0, [4, 5], rssi: 0xC2),
        ])
        #expect(reading.data == [[1, 2, 3, 4, 5]])
        #expect(reading.reports.map(\.dataStatus) == [.complete])
        #expect(reading.reports.map(\.rssi?.dBm) == [-62])
        #expect(reading.defects.isEmpty)
    }

    @Test("Parts may come in different batches")
    func acrossBatches() {
        var reading = Reading()
        reading.read([part(Self.more, [1])])
        #expect(reading.data.isEmpty)
        reading.read([part(0, [2])], at: Heard.time + .milliseconds(900))
        #expect(reading.data == [[1, 2]])
    }

    @Test("Parts of different sets, senders and adapters are kept apart")
    func interleaved() {
        var reading = Reading()
        reading.read([
            part(Self.more, [1], set: 0), part(Self.more, [2], set: 1), part(Self.more, [3], set: 0, address: 2),
            part(0, [11], set: 0), part(0, [12], set: 1), part(0, [13], set: 0, address: 2),
        ])
        #expect(reading.data == [[1, 11], [2, 12], [3, 13]])

        var batch = HCIPacketBatch()
        batch.append(part(Self.more, [1]), time: Heard.time, adapter: Adapter(index: 0))
        batch.append(part(Self.more, [2]), time: Heard.time, adapter: Adapter(index: 1))
        batch.append(part(0, [3]), time: Heard.time, adapter: Adapter(index: 0))
        batch.append(part(0, [4]), time: Heard.time, adapter: Adapter(index: 1))
        reading = Reading()
        reading.read(batch)
        #expect(reading.data == [[1, 3], [2, 4]])
    }

    @Test("Complete and legacy advertisements pass through parts of others, also of the same sender")
    func amongOthers() {
        var reading = Reading()
        reading.read([
            part(Self.more, [1], set: 0xFF),
            Packet.legacy(Packet.legacyReport(address: [1, 0, 0, 0, 0, 0xC0], data: [7])),
            part(0x0013, [8], set: 0xFF), part(0, [9], set: 3), part(0, [2], set: 0xFF),
        ])
        #expect(reading.data == [[7], [8], [9], [1, 2]])
        #expect(reading.defects.isEmpty)
    }

    @Test("What the controller cut off is handed over as far as it came, and counted")
    func truncated() {
        var reading = Reading()
        reading.read([part(Self.more, [1]), part(Self.cutOff, [2]), part(Self.cutOff, [3])])
        #expect(reading.data == [[1, 2], [3]])
        #expect(reading.reports.map(\.dataStatus) == [.truncated, .truncated])
        #expect(reading.defects == [.fragmentTruncated: 2])
    }

    @Test("1650 bytes are put together; with one more the advertisement is dropped, to its end")
    func longest() {
        let part229 = part(Self.more, [UInt8](repeating: 5, count: 229))
        let seven = [[UInt8]](repeating: part229, count: 7)
        var reading = Reading()
        reading.read(seven + [part(0, [UInt8](repeating: 5, count: 1650 - 7 * 229))])
        #expect(reading.data == [[UInt8](repeating: 5, count: 1650)])
        reading = Reading()
        reading.read(seven + [part(Self.more, [UInt8](repeating: 5, count: 48)), part229, part(0, [6]), part(0, [7])])
        #expect(reading.data == [[7]])
        #expect(reading.defects == [.fragmentTooLong: 1])
    }

    @Test(
        "At most 64 advertisements are under way; the next takes the place of the oldest, which is counted"
    )
    func tableFull() {
        var reading = Reading()
        reading.read((0..<65).map { part(Self.more, [$0], address: $0) })
        #expect(reading.defects == [.fragmentTableFull: 1])
        reading.read((1..<65).map { part(0, [0xFF], address: $0) })
        #expect(reading.data == (1..<65).map { [$0, 0xFF] })
        #expect(reading.defects == [.fragmentTableFull: 1])
    }

    @Test("A flood of advertisements that never end keeps no newcomer out")
    func endlessAdvertisements() {
        var reading = Reading()
        for round in 0..<100 {
            reading.read((0..<200).map { part(Self.more, [9], set: UInt8($0 % 16), address: UInt8($0)) })
            reading.read([
                part(Self.more, [1], address: 0xEE), part(Self.more, [2], address: 0xEE),
                part(0, [3], address: 0xEE),
            ])
            #expect(reading.data.count == round + 1)
        }
        #expect(reading.data.allSatisfy { $0 == [1, 2, 3] })
    }

    @Test("Parts whose end doesn't come within a second are dropped, also when the clock was set back")
    func abandoned() {
        for delay in [Duration.milliseconds(1001), .seconds(-5)] {
            var reading = Reading()
            reading.read([part(Self.more, [1])])
            reading.read([part(0, [2])], at: Heard.time + delay)
            #expect(reading.data == [[2]])
            #expect(reading.defects == [.fragmentAbandoned: 1])
        }
    }

    @Test("Parts are dropped in time when only other packets come")
    func abandonedInSilence() {
        var reading = Reading()
        reading.read([part(Self.more, [1])])
        reading.read([Packet.legacy(Packet.legacyReport())], at: Heard.time + .seconds(2))
        #expect(reading.defects == [.fragmentAbandoned: 1])
        #expect(reading.data == [Packet.data])
    }

    @Test("Defects of the packets themselves are counted too")
    func packetDefects() {
        var reading = Reading()
        reading.read([[0x04, 0x3E], part(Self.cutOff, [1])])
        #expect(reading.defects == [.truncatedEvent: 1, .fragmentTruncated: 1])
    }

    @Test("A flood of random parts gives no more bytes than came, and never traps")
    func flood() {
        var generator = SeededGenerator("random parts")
        var reading = Reading()
        var sent = 0
        var time = Heard.time
        for _ in 0..<200 {
            var packets: [[UInt8]] = []
            for _ in 0..<50 {
                let types: [UInt16] = [0, Self.more, Self.more, Self.cutOff, 0x0060, 0x0013]
                let data = [UInt8](repeating: 1, count: Int.random(in: 0...229, using: &generator))
                sent += data.count
                packets.append(
                    part(
                        types.randomElement(using: &generator) ?? 0, data,
                        set: UInt8.random(in: 0...16, using: &generator),
                        address: UInt8.random(in: 0...20, using: &generator)))
            }
            time = time + .milliseconds(Int.random(in: 0...400, using: &generator))
            reading.read(packets, at: time)
        }
        #expect(reading.data.reduce(0) { $0 + $1.count } <= sent, generator.comment)
        #expect(reading.data.allSatisfy { $0.count <= 1650 }, generator.comment)
        #expect(reading.reports.allSatisfy { $0.dataStatus != .moreToCome }, generator.comment)
        #expect(reading.data.contains { $0.count > 229 }, generator.comment)
        #expect((reading.defects[.fragmentAbandoned] ?? 0) > 0, generator.comment)
        #expect((reading.defects[.fragmentTableFull] ?? 0) > 0, generator.comment)
    }
}
