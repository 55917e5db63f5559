import BeaconModel
import Testing

@testable import Gateway
@testable import RecordContract

@Suite struct DemoHourTests {
    @Test func `Six gateways publish a minute's readings each minute of the hour`() throws {
        let hour = DemoHour(before: Timestamp(microseconds: 1_793_610_123_000_000))
        #expect(hour.end.rfc3339 == "2026-11-02T09:02:00.000Z")
        let records = try hour.records().filter { $0.topic.hasSuffix("/readings") }
        for gateway in ["corridor", "library", "seminar", "studio", "kitchen", "laboratory"] {
            #expect(records.count { $0.topic == "demo/v1/demo/main/1/\(gateway)/readings" } == 60)
        }
        #expect(records.count == 360)
    }
}
