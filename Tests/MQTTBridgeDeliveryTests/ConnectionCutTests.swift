import Logging
import MQTTBridge
import Publishing
import SyntheticRecords
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import RecordOutboxTests

/// A network that breaks in the midst of packets.
@Suite(.timeLimit(.minutes(10))) struct ConnectionCutTests {
    @Test("A connection that is cut again and again at random bytes loses nothing and keeps each topic's order")
    func cuts() async throws {
        var generator = SeededGenerator("cuts")
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            var configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            configuration.inFlight = 50
            let cuts = TestScale.amount(10, full: 50)
            let count = UInt64(400 * cuts)
            try await DeliveryRig.with(configuration) { rig in
                async let publishing: Void = rig.publish(1...count, rate: 2000)
                for cut in 1...cuts {
                    // The broker's answers are four bytes each: of a window, or of CONNACK.
                    if Bool.random(using: &generator) {
                        proxy.cut(afterFromClient: Int.random(in: 1...30_000, using: &generator))
                    } else {
                        proxy.cut(afterFromBroker: Int.random(in: 1...200, using: &generator))
                    }
                    let isCut = await eventually { proxy.counts.cuts >= cut }
                    #expect(isCut, generator.comment)
                    if !isCut { break }
                }
                await publishing
                await rig.expectDelivery("connection cut \(proxy.counts.cuts) times", 1...count, to: consumer)
                // What was seen is a connection that broke, and not what a broker does whose access list forbids something.
                #expect(await rig.publisher.takeovers == nil, generator.comment)
                #expect(await rig.publisher.trouble == nil, generator.comment)
                // Only what was under way when the connection broke can come twice.
                #expect(await consumer.tally.duplicates <= 50 * proxy.counts.cuts, generator.comment)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("A link that works in between is tried again soon, however often it breaks, and is said to have broken")
    func flapping() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            let configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            let log = KeptLog()
            try await DeliveryRig.with(configuration, backoff: Backoff(), log: log) { rig in
                for cut in 1...5 as ClosedRange<UInt64> {
                    await rig.publish(cut...cut)
                    #expect(await eventually { await rig.publisher.acknowledgedRecords == cut })
                    proxy.cut()
                    #expect(await eventually { await !rig.publisher.isConnected })
                }
            }
            let broken = log.lines.filter { $0.hasPrefix("warning broker connection failed") }
            #expect(broken.count == 5)
            #expect(broken.allSatisfy { $0.contains("was lost after") && !$0.contains("acl") }, "\(log.lines)")
            let waits = waits(log)
            #expect(waits.count == 5 && waits.allSatisfy { $0 <= 2 }, "\(waits)")
            proxy.close()
        }
    }

    @Test("A consumer's link that works in between is tried again soon as well, and is said to have broken")
    func flappingConsumer() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            let log = KeptLog()
            let subscriptions = LockedValue(0)
            let consumer = MQTTConsumer(
                configuration: BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "consumer"),
                filters: ["a/#"], backoff: Backoff(), logger: Logger(label: "consumer") { _ in log },
                take: { _ in .stored([]) })
            let running = Task {
                try await consumer.run(
                    prepare: {},
                    subscribed: {
                        subscriptions.withLock { $0 += 1 }
                        return []
                    })
            }
            for cut in 1...5 {
                #expect(await eventually { subscriptions.withLock(\.self) == cut })
                proxy.cut()
            }
            #expect(await eventually { subscriptions.withLock(\.self) == 6 })
            running.cancel()
            _ = try? await running.value
            let broken = log.lines.filter { $0.hasPrefix("warning broker connection failed") }
            #expect(broken.count == 5)
            #expect(broken.allSatisfy { $0.contains("was lost after") }, "\(log.lines)")
            let waits = waits(log)
            #expect(waits.count == 5 && waits.allSatisfy { $0 <= 2 }, "\(waits)")
            proxy.close()
        }
    }

    /// Before each further attempt, in seconds.
    private func waits(_ log: KeptLog) -> [Double] {
        log.lines.compactMap { line in
            line.firstRange(of: "reach the broker in=").flatMap {
                Double(line[$0.upperBound...].prefix { $0 != " " })
            }
        }
    }
}
