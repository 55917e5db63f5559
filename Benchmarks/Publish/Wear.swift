import BeaconModel
import MQTTBridge
import Publishing
import RecordOutbox
import SystemIO

/// How much reaches the disk for each record at a steady rate, by what the outbox may delay.
struct Wear {
    /// Seconds for which updates may stay in memory; 0: each record is written at once.
    var delay: Int
    /// For each record.
    var writtenBytes: Double

    /// Publishes records one by one, every tenth of which begins or ends something, and counts what is written until all
    /// are acknowledged.
    static func measure(
        delay: Int, rate: Int, seconds: Int, _ records: SampleRecords, port: UInt16, path: String
    ) async throws -> Wear {
        let outbox = try await Outbox.open(path, rules: OutboxRules(writeDelay: .seconds(delay)), now: .now())
        let publishing = await Publishing.start(outbox, window: 100, port: port)
        let count = rate * seconds
        let before = Process.writtenBytes
        let start = ContinuousClock.now
        for index in 0..<count {
            try await Task.sleep(until: start + .seconds(1) * index / rate, clock: .continuous)
            await outbox.append([records.record(index)], at: .now())
        }
        while await publishing.publisher.acknowledgedRecords < UInt64(count) {
            try await Task.sleep(for: .milliseconds(1))
        }
        let written = Process.writtenBytes - before
        await publishing.stop()
        await outbox.close()
        return Wear(delay: delay, writtenBytes: Double(written) / Double(count))
    }
}
