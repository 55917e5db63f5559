import BeaconModel
import Glibc
import TestSupport
import TestValues
import Testing

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

@Suite(.timeLimit(.minutes(20))) struct OutboxOutageTests {
    /// What the policy keeps, with a queue for each priority: the lowest loses first, and of it the oldest.
    private struct Policy {
        let capacity: Int
        private(set) var bytes = 0
        private var queues = OutboxPriority.allCases.map { _ in [(sequence: UInt64, cost: Int)]() }
        private var heads = OutboxPriority.allCases.map { _ in 0 }

        init(capacity: Int) { self.capacity = capacity }

        mutating func append(_ sequence: UInt64, _ priority: OutboxPriority, _ cost: Int) {
            queues[Int(priority.rawValue)].append((sequence, cost))
            bytes += cost
            while bytes > capacity, let lowest = queues.indices.first(where: { heads[$0] < queues[$0].count }) {
                bytes -= queues[lowest][heads[lowest]].cost
                heads[lowest] += 1
            }
        }

        var kept: [UInt64] { queues.indices.flatMap { queues[$0][heads[$0]...].map(\.sequence) }.sorted() }
    }

    @Test("After a day without a broker, what is kept is what the policy says, in a file of about that size")
    func day() async throws {
        // Every day a sixty-fourth of a large gateway's 50 records a second and 64 MB.
        let scale = TestScale.amount(1, full: 64)
        let capacity = 1_000_000 * scale
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let rules = OutboxRules(bytes: capacity, drainRate: 1e9)
        let outbox = try await Outbox.open(path, rules: rules, now: OutboxFixtures.start)
        var generator = SeededGenerator("an outage of a day")
        var policy = Policy(capacity: capacity)
        var sequence: UInt64 = 0
        var forecast: Double?
        var fullAfter: Int?
        var second = 0
        while second < 86_400 {
            let now = OutboxFixtures.start + .seconds(second)
            var records: [OutboxRecord] = []
            let step = second < 1800 ? 5 : 30
            for _ in 0..<step * 4 / 5 * scale {
                sequence += 1
                let priority: OutboxPriority =
                    switch Int.random(in: 0..<10, using: &generator) {
                    case ..<8: .updated
                    case 8: .started
                    default: .ended
                    }
                let minor = Int.random(in: 0..<50, using: &generator)
                let topic =
                    "beacons/v1/mcgill/trottier/3/gw-3a/beacon/e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/\(minor)/interaction"
                let size = Int.random(in: 1200...1400, using: &generator)
                let record = OutboxFixtures.record(sequence, topic: topic, priority, size: size)
                records.append(record)
                let cost = OutboxLedger.cost(topic: topic, payload: record.payload.count)
                if fullAfter == nil, policy.bytes + cost > capacity { fullAfter = second }
                policy.append(sequence, priority, cost)
            }
            await outbox.append(records, at: now)
            second += step
            if second == 300 { forecast = await outbox.status(at: now + .seconds(step)).secondsLeft }
        }
        let now = OutboxFixtures.start + .seconds(86_400)
        let status = await outbox.status(at: now)
        #expect(status.bytes == policy.bytes)
        #expect(status.trouble == nil)
        #expect(status.evicted.values.reduce(0, +) + UInt64(status.records) == sequence)
        let predicted = try #require(forecast) + 300
        let actual = Double(try #require(fullAfter))
        #expect(abs(predicted - actual) < 0.1 * (actual - 300), "\(predicted) s, and it was \(actual) s")

        await outbox.setOnline(true)
        let offered = await outbox.offeredSequences()
        #expect(offered == policy.kept, generator.comment)
        await outbox.close()
        var file = stat()
        #expect(stat(path, &file) == 0)
        #expect(Int(file.st_size) < capacity * 2, "\(file.st_size) bytes")
        #expect(Set(directory.names) == ["outbox.db", "outbox.db.reserve", "outbox.db.state"])

        let again = try await Outbox.open(path, rules: rules, now: now)
        await again.setOnline(true)
        #expect(await again.offeredSequences() == policy.kept, generator.comment)
        await again.close()
    }
}
