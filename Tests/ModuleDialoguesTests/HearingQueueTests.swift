import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct HearingQueueTests {
    private static let reception = ModuleReception(
        address: BluetoothAddress(bits: 1), rssi: RSSI(dBm: -60), data: [])
    private static let time = Timestamp(microseconds: 1)

    @Test("A flood is bounded, and counted; what becomes of the listening is kept")
    func flood() {
        var queue = HearingQueue()
        queue.add(.listening(.begun(inTurns: false)), at: Self.time)
        for _ in 0..<5000 {
            queue.add(.received(Self.reception), at: Self.time)
            queue.add(.listening(.unreadable), at: Self.time)
        }
        queue.add(.listening(.ended(.interrupted)), at: Self.time)
        let batch = queue.take()
        #expect(batch.items.count == HearingQueue.mostReports + 2)
        #expect(batch.items.last?.what == .listening(.ended(.interrupted)))
        #expect(batch.dropped == 5000 - UInt64(HearingQueue.mostReports))
        #expect(batch.unreadable == 5000)
        #expect(queue.take().isEmpty)
    }

    @Test("Confirmations that follow each other are one, the last")
    func confirmations() {
        var queue = HearingQueue()
        for second in 1...100_000 {
            queue.add(.listening(.confirmed), at: Timestamp(microseconds: Int64(second)))
        }
        #expect(queue.take().items == [.init(time: Timestamp(microseconds: 100_000), what: .listening(.confirmed))])
    }

    @Test("Whatever is added, it holds a few thousand items, the latest change among them")
    func changes() {
        var queue = HearingQueue()
        for _ in 0..<10_000 {
            queue.add(.listening(.begun(inTurns: true)), at: Self.time)
            queue.add(.listening(.paused), at: Self.time)
        }
        let batch = queue.take()
        #expect(batch.items.count <= 2 * HearingQueue.mostReports)
        #expect(batch.items.last?.what == .listening(.paused))
    }
}
