import BeaconModel
import HCI
import Testing

@Suite("HCIPacketBatch")
struct HCIPacketBatchTests {
    private let early = Timestamp(microseconds: 1_000_000)
    private let late = Timestamp(microseconds: 2_000_000)

    @Test("A new batch is empty and has no times")
    func empty() {
        let batch = HCIPacketBatch()
        #expect(batch.isEmpty)
        #expect(batch.count == 0)
        #expect(batch.firstTime == nil)
        #expect(batch.lastTime == nil)
        #expect(batch.forEachReport { _, _ in }.isEmpty)
    }

    @Test("A batch counts packets, not reports, and knows the times of the first and the last")
    func counts() {
        var batch = HCIPacketBatch()
        batch.append(
            EventPacket.legacy(EventPacket.legacyReport(), EventPacket.legacyReport()), time: early,
            adapter: Adapter(index: 0))
        batch.append([0x01, 0x03, 0x0C, 0x00], time: late, adapter: Adapter(index: 0))
        #expect(batch.count == 2)
        #expect(!batch.isEmpty)
        #expect(batch.firstTime == early)
        #expect(batch.lastTime == late)
    }

    @Test("Each report has the time and the adapter of its packet")
    func timesAndAdapters() {
        var batch = HCIPacketBatch()
        let packet = EventPacket.legacy(EventPacket.legacyReport())
        batch.append(packet, time: late, adapter: Adapter(index: 1))
        batch.append(packet, time: early, adapter: Adapter(index: 2))
        let heard = Heard(batch)
        #expect(heard.reports.map(\.time) == [late, early])
        #expect(heard.reports.map(\.adapter.index) == [1, 2])
    }

    @Test("Packets don't run into each other")
    func boundaries() {
        var batch = HCIPacketBatch()
        let packet = EventPacket.legacy(EventPacket.legacyReport())
        batch.append(packet.dropLast(), time: early, adapter: Adapter(index: 0))
        batch.append([], time: early, adapter: Adapter(index: 0))
        batch.append(packet, time: early, adapter: Adapter(index: 0))
        let heard = Heard(batch)
        #expect(heard.reports.count == 1)
        #expect(heard.defects == [.truncatedEvent: 1])
    }

    @Test("Defects are counted by kind, one for each packet")
    func defects() {
        var short = EventPacket.legacy(EventPacket.legacyReport())
        short[4] = 9
        let heard = Heard([0x04, 0x3E], short, short, EventPacket.legacy(EventPacket.legacyReport()))
        #expect(heard.defects == [.truncatedEvent: 1, .truncatedReport: 2])
        #expect(heard.reports.count == 3)
    }
}
