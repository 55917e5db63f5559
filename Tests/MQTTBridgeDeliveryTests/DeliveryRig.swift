import BeaconModel
import Logging
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import RecordOutboxTests

/// The gateway's outbox and publisher, running, with records to publish.
struct DeliveryRig: Sendable {
    let outbox: Outbox
    let publisher: MQTTPublisher
    let records = Self.records
    static let records = SyntheticRecords(boot: 1, topics: 7, size: 400)

    /// Runs `body` beside the publisher; ends it afterwards.
    ///
    /// - Parameter store: the file of the outbox; `nil`: in memory.
    static func with<Result>(
        _ configuration: BrokerConfiguration, store: String? = nil, rules: OutboxRules = .init(drainRate: 1_000_000),
        announcement: Announcement? = nil, storedTopic: String? = nil, memory: BrokerMemory? = nil,
        certificateInterval: Duration = .milliseconds(100), preferredInterval: Duration = .milliseconds(300),
        backoff: Backoff = Backoff(longest: .milliseconds(100)), log: KeptLog? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: (DeliveryRig) async throws -> Result
    ) async throws -> Result {
        var logger = log.map { log in Logger(label: "proof") { _ in log } } ?? Logger(label: "proof")
        if log == nil { logger.logLevel = .critical }
        let outbox = try await Outbox.open(store, rules: rules, now: .now())
        let publisher = MQTTPublisher(
            configuration: configuration, announcement: announcement, outbox: outbox, storedTopic: storedTopic,
            memory: memory, certificateInterval: certificateInterval, preferredInterval: preferredInterval,
            backoff: backoff, logger: logger)
        let rig = DeliveryRig(outbox: outbox, publisher: publisher)
        let running = Task { await publisher.run() }
        do {
            let result = try await body(rig)
            await rig.end(running)
            return result
        } catch {
            await rig.end(running)
            throw error
        }
    }

    private func end(_ running: Task<Void, Never>) async {
        _ = await publisher.finish(within: .seconds(2))
        await running.value
        await outbox.close()
    }

    /// Gives records to the outbox, a few at a time.
    ///
    /// - Parameter rate: records in a second at most; 0: as fast as it goes.
    func publish(_ sequences: ClosedRange<UInt64>, rate: Double = 0) async {
        let start = ContinuousClock.now
        var next = sequences.lowerBound
        while next <= sequences.upperBound, !Task.isCancelled {
            let last = min(sequences.upperBound, next + 9)
            if rate > 0 {
                let due = start + .seconds(Double(next - sequences.lowerBound) / rate)
                try? await Task.sleep(until: due, clock: .continuous)
            }
            await outbox.append(records.records(next...last), at: .now())
            next = last + 1
        }
    }

    func positions(_ sequences: ClosedRange<UInt64>) -> Set<RecordPosition> {
        Set(sequences.map { RecordPosition(boot: records.boot, sequence: $0) })
    }

    /// Waits until the consumer has everything, says so in one line, and checks that nothing is lost or invented.
    ///
    /// - Parameter inOrder: whether what came first of each topic has to have come in its order.
    func expectDelivery(
        _ name: String, _ sequences: ClosedRange<UInt64>, to consumer: Consumer, inOrder: Bool = true,
        within limit: Duration = .seconds(60), location: SourceLocation = #_sourceLocation
    ) async {
        let sent = positions(sequences)
        _ = await eventually(within: limit) { await consumer.has(sent) }
        let tally = await consumer.tally
        let status = await outbox.status(at: .now())
        print(tally.summary(name, sent: sent.count, evicted: status.evicted.values.reduce(0, +)))
        #expect(sent.subtracting(tally.received).isEmpty, "lost", sourceLocation: location)
        #expect(tally.received.subtracting(sent).isEmpty, "invented", sourceLocation: location)
        #expect(tally.foreign.isEmpty, sourceLocation: location)
        if inOrder { #expect(tally.outOfOrder.isEmpty, "out of order", sourceLocation: location) }
    }
}
