import BeaconModel
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SystemIO

/// How long it takes from an interaction's event to the broker's acknowledgement of its record.
struct Latency {
    var rate: Int
    /// Milliseconds.
    var median: Double
    /// Of a hundred the worst.
    var worst: Double

    static func measure(rate: Int, seconds: Int, port: UInt16, path: String) async throws -> Latency {
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: .now())
        let publishing = await Publishing.start(outbox, window: 100, port: port)
        let publisher = publishing.publisher
        let count = rate * seconds
        // A broker acknowledges in the order of publication.
        let watching = Task {
            var acknowledged: [ContinuousClock.Instant] = []
            acknowledged.reserveCapacity(count)
            while acknowledged.count < count, !Task.isCancelled {
                let now = Int(await publisher.acknowledgedRecords)
                let time = ContinuousClock.now
                while acknowledged.count < now { acknowledged.append(time) }
                try? await Task.sleep(for: .microseconds(50))
            }
            return acknowledged
        }
        var factory = SampleRecords.factory
        var begun: [ContinuousClock.Instant] = []
        let start = ContinuousClock.now
        for index in 0..<count {
            try await Task.sleep(until: start + .seconds(1) * index / rate, clock: .continuous)
            begun.append(.now)
            if let record = factory.record(for: SampleRecords.event(index), clockIsSynchronized: true) {
                await publisher.publish([record])
            }
        }
        let ended = await watching.value
        await publishing.stop()
        await outbox.close()
        let times = zip(begun, ended).map { ($1 - $0) / .milliseconds(1) }.sorted()
        return Latency(rate: rate, median: times[times.count / 2], worst: times[times.count * 99 / 100])
    }
}
