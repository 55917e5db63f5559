import Evidence
import InteractionStore
import Matching
import RecordContract
import SystemIO
import Testing

@testable import MatcherDaemon

@Suite("Occupancy where nobody listens") struct DeafOccupancyTests {
    private static let gateway = "campus/main/1/east"

    /// What the gateway in 101 says of a minute of the morning.
    private func readings(_ sequence: UInt64, _ minute: Int64, listened: Double) -> ReceivedRecord {
        .readings(
            ReadingsRecord(
                position: RecordPosition(boot: 2, sequence: sequence), gateway: Self.gateway, receiver: Self.gateway,
                place: PlaceName(
                    key: Self.gateway, site: "campus", building: "main", floor: "1", gateway: Self.gateway,
                    room: "101", beacon: nil),
                start: morning + minute * 60, end: morning + minute * 60 + 60, listened: listened,
                clockIsSynchronized: true, subjects: []))
    }

    /// Whether the room is heard, while the gateway's health says that it hears.
    private func isHeard(_ api: TestAPI, _ records: ReceivedRecord...) async throws -> Bool {
        let now = api.clock.withLock { $0 }
        api.gateways.heard(Self.gateway, now: now)
        if !records.isEmpty { _ = try api.store.use { try $0.store(records, now: now) } }
        let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
        #expect(answer.text.contains(#""room":"101""#), "\(answer.text)")
        return answer.text.contains(#""isHeard":true"#)
    }

    @Test(arguments: Backend.installed)
    func `Nobody in readings that don't come, or of a minute of deafness, is no empty room`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            try api.hear(try await api.newPhone().identity, 0...1, sequence: 1)
            // Without readings health counts.
            #expect(try await isHeard(api))
            #expect(try await isHeard(api, readings(1, 239, listened: 60)))
            api.clock.withLock { $0 += 300 }
            #expect(try await !isHeard(api))
            #expect(try await !isHeard(api, readings(2, 244, listened: 0)))
            // What is kept back and comes late is of its time.
            #expect(try await !isHeard(api, readings(3, 240, listened: 60)))
            api.clock.withLock { $0 += 60 }
            #expect(try await isHeard(api, readings(4, 245, listened: 60)))
        }
    }
}
