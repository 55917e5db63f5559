import BeaconModel

@testable import Publishing
@testable import RecordContract
@testable import RecordOutbox

/// Records for the outbox.
enum OutboxFixtures {
    /// A machine whose clock is right.
    static let start = ClockReading(
        wall: Timestamp(microseconds: 1_700_000_000_000_000), sinceBoot: 60_000_000, bootID: "first",
        isSynchronized: true)

    static func record(
        _ sequence: UInt64, boot: UInt64 = 1, topic: String = "beacons/v1/a/b/c/d/beacon/1/interaction",
        _ priority: OutboxPriority = .started, size: Int = 0
    ) -> OutboxRecord {
        let filler = String(repeating: "x", count: max(0, size - 60))
        return OutboxRecord(
            topic: topic, priority: priority, position: RecordPosition(boot: boot, sequence: sequence),
            payload: Array("{\"filler\":\"\(filler)\",\"historical\":false,\"sequence\":\(sequence)}".utf8))
    }
}

extension Outbox {
    /// The sequence numbers of what can be offered now.
    func offeredSequences(_ limit: Int = .max, at now: ContinuousClock.Instant = .now) async -> [UInt64] {
        await next(limit, now: now).entries.map(\.position.sequence)
    }
}
