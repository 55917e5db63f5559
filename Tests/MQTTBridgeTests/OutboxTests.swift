import BeaconModel
import Testing

@testable import MQTTBridge

@Suite struct OutboxTests {
    private func offerAll(_ outbox: inout Outbox) -> [Outbox.Entry] {
        var entries: [Outbox.Entry] = []
        while let entry = outbox.offerNext() { entries.append(entry) }
        return entries
    }

    @Test("Records are offered in their order, each once")
    func order() {
        var outbox = Outbox(capacity: 10)
        for record in Fixtures.records([.started, .updated, .ended]) { outbox.append(record, online: true) }
        #expect(offerAll(&outbox).map(\.record.sequence) == [1, 2, 3])
        #expect(outbox.offerNext() == nil)
    }

    @Test("A record stays until it is acknowledged")
    func acknowledge() {
        var outbox = Outbox(capacity: 10)
        for record in Fixtures.records([.started, .ended]) { outbox.append(record, online: true) }
        _ = offerAll(&outbox)
        #expect(outbox.count == 2)
        outbox.acknowledge(1)
        #expect(outbox.count == 1)
        outbox.connectionLost()
        #expect(offerAll(&outbox).map(\.record.sequence) == [2])
    }

    @Test("After a broken connection everything unacknowledged is offered again, oldest first, as historical")
    func connectionLost() {
        var outbox = Outbox(capacity: 10)
        for record in Fixtures.records([.started, .updated, .ended]) { outbox.append(record, online: true) }
        _ = outbox.offerNext()
        _ = outbox.offerNext()
        outbox.connectionLost()
        let again = offerAll(&outbox)
        #expect(again.map(\.record.sequence) == [1, 2, 3])
        #expect(again.map(\.isHistorical) == [true, true, true])
    }

    @Test("What is added while the broker is away is historical")
    func offline() {
        var outbox = Outbox(capacity: 10)
        for record in Fixtures.records([.started]) { outbox.append(record, online: false) }
        #expect(outbox.offerNext()?.isHistorical == true)
    }

    @Test("When it is full, updates make room for what began and ended, and are counted")
    func eviction() {
        var outbox = Outbox(capacity: 3)
        for record in Fixtures.records([.started, .updated, .updated, .ended, .ended]) {
            outbox.append(record, online: false)
        }
        #expect(offerAll(&outbox).map(\.record.sequence) == [1, 4, 5])
        #expect(outbox.evicted == [.updated: 2])
    }

    @Test("When there are no updates to give up, the oldest goes")
    func evictionOfOldest() {
        var outbox = Outbox(capacity: 2)
        for record in Fixtures.records([.started, .ended, .started]) { outbox.append(record, online: false) }
        #expect(offerAll(&outbox).map(\.record.sequence) == [2, 3])
        #expect(outbox.evicted == [.started: 1])
    }

    @Test("A new update gives way to what is there")
    func newUpdate() {
        var outbox = Outbox(capacity: 2)
        for record in Fixtures.records([.started, .ended, .updated]) { outbox.append(record, online: false) }
        #expect(offerAll(&outbox).map(\.record.sequence) == [1, 2])
        #expect(outbox.evicted == [.updated: 1])
    }
}
