import RecordContract
import Testing

@testable import Publishing

@Suite struct OutboxOfferTests {
    private func entry(_ id: Int64, payload: String = "") -> OutboxEntry {
        OutboxEntry(
            id: id, topic: "t", payload: Array(payload.utf8), isHistorical: false, priority: .started,
            position: RecordPosition(boot: 1, sequence: UInt64(id)))
    }

    @Test("Entries get the payloads that were read, and keep those that they had")
    func read() {
        var offer = OutboxOffer(entries: [entry(1, payload: "a"), entry(2)])
        offer.complete([2], with: [2: Array("b".utf8)], remaining: [1, 2])
        #expect(offer.entries == [entry(1, payload: "a"), entry(2, payload: "b")])
    }

    @Test("Entries that could not be read, or were given up meanwhile, are not offered")
    func gone() {
        var offer = OutboxOffer(entries: [entry(1, payload: "a"), entry(2), entry(3)])
        offer.complete([2, 3], with: [3: Array("c".utf8)], remaining: [2, 3])
        #expect(offer.entries == [entry(3, payload: "c")])
    }
}
