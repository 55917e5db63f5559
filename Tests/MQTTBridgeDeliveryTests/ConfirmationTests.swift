import BeaconModel
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

/// What an acknowledgement of mosquitto is worth: it is killed while it holds records that it has acknowledged and the
/// consumer hasn't got.
@Suite(.timeLimit(.minutes(10))) struct ConfirmationTests {
    private static let count: UInt64 = 500

    @Test(
        "What mosquitto had acknowledged and lost is sent again where the consumer confirms, and lost where it doesn't")
    func lostAfterAcknowledgement() async throws {
        print("mosquitto killed with \(Self.count) acknowledged records for a consumer that is away")
        print("configuration       confirm    received   lost")
        for (name, autosave) in [("default", nil), ("autosave 1 s", 1)] as [(String, Int?)] {
            for confirmation in OutboxRules.Confirmation.allCases {
                let received = try await received(confirmation, autosave: autosave)
                let lost = Int(Self.count) - received
                print(
                    [(name, 20), (confirmation.rawValue, 11), ("\(received)", 11), ("\(lost)", 4)].map { text, width in
                        text + String(repeating: " ", count: max(0, width - text.count))
                    }.joined())
                switch (confirmation, autosave) {
                case (.consumer, _): #expect(lost == 0)
                case (.broker, nil): #expect(lost == Int(Self.count), "mosquitto keeps nothing without persistence")
                // Whether it had saved is chance.
                case (.broker, _): break
                }
            }
        }
    }

    /// - Returns: how many records the consumer has in the end.
    private func received(_ confirmation: OutboxRules.Confirmation, autosave: Int?) async throws -> Int {
        let directory = try TemporaryDirectory()
        let lines = autosave.map { TestBroker.keeping(in: directory.path, autosave: $0) } ?? "allow_anonymous true"
        return try await TestBroker.with(configuration: lines) { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let rules = OutboxRules(
                drainRate: 1_000_000, confirmation: confirmation, confirmTimeout: .milliseconds(500))
            return try await ConfirmingConsumer.with(consumer, port: broker.port) { storedTopic in
                try await DeliveryRig.with(
                    BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "gateway"), rules: rules,
                    storedTopic: confirmation == .consumer ? storedTopic : nil
                ) { rig in
                    _ = await eventually { await rig.publisher.isConnected }
                    await consumer.disconnect()
                    await rig.publish(1...Self.count)
                    // All are acknowledged.
                    #expect(
                        await eventually {
                            let status = await rig.outbox.status(at: .now())
                            return status.records == status.waitingForConsumer
                        })
                    await broker.crash()
                    try await broker.restart()
                    try await consumer.connect(port: broker.port)
                    _ = await eventually { await rig.publisher.isConnected }
                    let all = rig.positions(1...Self.count)
                    if confirmation == .consumer {
                        _ = await eventually { await consumer.has(all) }
                    } else {
                        // Nothing more comes after a record that is published now.
                        await rig.publish(Self.count + 1...Self.count + 1)
                        let last = rig.positions(Self.count + 1...Self.count + 1)
                        #expect(await eventually { await consumer.has(last) })
                    }
                    let received = await consumer.tally.received.intersection(all).count
                    await consumer.disconnect()
                    return received
                }
            }
        }
    }
}
