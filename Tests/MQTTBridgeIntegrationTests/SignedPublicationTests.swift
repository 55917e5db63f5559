import Logging
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignedPublicationTests {
    @Test func `Records that waited from before there was a key are signed when they are sent`()
        async throws
    {
        let key = try #require(SiteKey(secret: Array(0..<32))).gatewayKey("mcgill/trottier/3/gw-3a")
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let before = try await Outbox.open(path, rules: OutboxRules(), now: .now())
        let payload = #"{"data":{"historical":false,"sequence":1},"time":"2020-11-15T12:00:00Z"}"#
        await before.append(
            [
                OutboxRecord(
                    topic: "t/1", priority: .ended, position: RecordPosition(boot: 1, sequence: 1),
                    payload: Array(payload.utf8))
            ], at: .now())
        await before.close()
        try await TestBroker.with { broker in
            let received = try await broker.subscribe(to: "t/#", format: "%p")
            let outbox = try await Outbox.open(path, rules: OutboxRules(), now: .now())
            let publisher = MQTTPublisher(
                configuration: BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "signer"),
                outbox: outbox, signer: key, logger: Logger(label: "signer"))
            let running = Task { await publisher.run() }
            let line = try #require(await received.first { _ in true })
            #expect(line.hasPrefix(#"{"data":{"historical":true,"sequence":1}"#), "\(line)")
            #expect(MessageTag.verdict(on: Array(line.utf8), keys: [key], for: .record) == .genuine)
            _ = await publisher.finish(within: .seconds(5))
            await running.value
            await outbox.close()
        }
    }
}
