import BeaconModel
import TestSupport
import Testing

@testable import MQTTBridge

@Suite(.timeLimit(.minutes(2))) struct OutboxTests {
    private let now = OutboxFixtures.start

    @Test("A record that was appended is there after reopening, historical, and is gone once it was acknowledged")
    func reopen() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let first = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await first.setOnline(true)
        await first.append([OutboxFixtures.record(1), OutboxFixtures.record(2)], at: now)
        let offer = await first.next(10, now: .now)
        #expect(offer.entries.map(\.position.sequence) == [1, 2])
        #expect(offer.entries.map(\.isHistorical) == [false, false])
        await first.acknowledge([offer.entries[0].id], at: now)
        await first.close()

        let second = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(second.findings == [])
        await second.setOnline(true)
        let again = await second.next(10, now: .now)
        #expect(again.entries.map(\.position.sequence) == [2])
        #expect(again.entries.first?.isHistorical == true)
        #expect(
            again.entries.first.map { String(decoding: $0.payload, as: UTF8.self) }
                == #"{"filler":"","historical":true,"sequence":2}"#)
        await second.close()
    }

    @Test("Without a path it keeps records in memory")
    func inMemory() async throws {
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: now)
        await outbox.append([OutboxFixtures.record(1)], at: now)
        await outbox.setOnline(true)
        #expect(await outbox.offeredSequences() == [1])
        #expect(await outbox.status(at: now).records == 1)
        await outbox.close()
    }
}
