import BeaconModel
import Testing

@testable import Gateway
@testable import RecordContract

@Suite struct DemoHourTests {
    @Test func `Three gateways publish a minute's readings each minute of the hour`() throws {
        let building = DemoBuilding(topicPrefix: "demo", brokerPort: 1883, stateDirectory: "/var/empty")
        let hour = DemoHour(building, before: Timestamp(microseconds: 1_793_610_123_000_000))
        #expect(hour.end.rfc3339 == "2026-11-02T09:02:00.000Z")
        let records = try hour.records().filter { $0.topic.hasSuffix("/readings") }
        for gateway in ["hall", "office", "kitchen"] {
            #expect(records.count { $0.topic == "demo/v1/demo/main/1/\(gateway)/readings" } == 60)
        }
    }
}
