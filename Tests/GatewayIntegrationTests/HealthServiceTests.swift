import Logging
import SystemIO
import TestSupport
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import GatewayDaemon
@testable import MQTTBridge
@testable import Publishing
@testable import RecordContract
@testable import RecordOutbox

/// What the health topic says, by a real broker.
@Suite(.timeLimit(.minutes(10))) struct HealthServiceTests {
    @Test("That the broker doesn't acknowledge what it is offered is said in outbox.trouble")
    func unanswered() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let proxy = try CuttingProxy(to: broker.port)
            var configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "health-test")
            configuration.acknowledgeTimeout = .milliseconds(800)
            let topics = Configuration.anywhere.topics
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: .now())
            let publisher = MQTTPublisher(
                configuration: configuration, outbox: outbox, backoff: Backoff(longest: .milliseconds(100)),
                logger: logger)
            let gateway = GatewayState(
                info: GatewayInfo(version: "0", boot: 1, startedAt: "", adapters: [], modules: []), topics: topics,
                publisher: publisher)
            let service = HealthService(
                publisher: publisher, outbox: outbox, gateway: gateway, topic: topics.health, boot: 1,
                takeovers: TakeoversFile(stateDirectory: directory.path), logger: logger,
                interval: .milliseconds(100))
            let received = try await broker.subscribe(to: topics.health)
            let connection = Task { await publisher.run() }
            let health = Task { try await service.run() }
            #expect(await eventually { await publisher.isConnected })
            proxy.swallow(acknowledgements: .max)
            let record = OutboxRecord(
                topic: topics.root + "/interaction", priority: .started,
                position: RecordPosition(boot: 1, sequence: 1), payload: Array("{}".utf8))
            await outbox.append([record], at: .now())
            #expect(await received.first { $0.contains(#""trouble":"broker "#) } != nil)
            health.cancel()
            _ = try? await health.value
            _ = await publisher.finish(within: .seconds(1))
            await connection.value
            proxy.close()
        }
    }
}
