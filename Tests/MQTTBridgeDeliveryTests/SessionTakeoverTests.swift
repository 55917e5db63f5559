import Publishing
import RecordContract
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import MQTTBridge
@testable import RecordOutboxTests

/// Two clients with one client identifier: a broker keeps only the latest.
@Suite(.timeLimit(.minutes(10))) struct SessionTakeoverTests {
    @Test("That another client took the session is logged with its remedy, and kept", arguments: [true, false])
    func takeover(isByFive: Bool) async throws {
        try await TestBroker.with { broker in
            var configuration = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "gateway")
            configuration.version = isByFive ? .five : .threeOneOne
            let message = MQTTMessage(topic: SyntheticRecords.root + "/status", payload: Array("s".utf8))
            let announcement = Announcement(will: message, online: { _ in message }, farewell: { _ in message })
            let log = KeptLog()
            try await DeliveryRig.with(configuration, announcement: announcement, log: log) { rig in
                try await DeliveryRig.with(configuration, announcement: announcement) { other in
                    #expect(await eventually { await rig.publisher.takeovers != nil })
                    #expect(await eventually { await other.publisher.takeovers != nil })
                }
            }
            // Not every broker says so by MQTT 5: mosquitto 2.0.11 just closes the connection.
            let line = log.lines.first { $0.hasPrefix("error another client ") && $0.contains(" this one's session") }
            #expect(line?.contains("client-id=gateway") == true, "\(log.lines)")
            #expect(line?.contains("place.gateway") == true)
        }
    }

    @Test("What the broker says of it is certain at the first time")
    func said() async throws {
        let broker = try SilentBroker(endsWith: 0x8E)
        let configuration = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "gateway")
        let log = KeptLog()
        try await DeliveryRig.with(configuration, log: log) { rig in
            await rig.publish(1...1)
            #expect(await eventually { await rig.publisher.takeovers?.isCertain == true })
        }
        #expect(log.lines.contains { $0.hasPrefix("error another client took this one's session") }, "\(log.lines)")
        broker.close()
    }
}
