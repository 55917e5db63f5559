import BeaconModel

@testable import Publishing
@testable import RecordContract

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
