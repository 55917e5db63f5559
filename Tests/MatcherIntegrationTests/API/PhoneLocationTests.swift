import Evidence
import InteractionStore
import SystemIO
import TestSupport
import Testing

@testable import Matcher
@testable import MatcherDaemon

@Suite("Where a phone is that ranges beacons", .timeLimit(.minutes(10))) struct PhoneLocationTests {
    /// Posts what a phone ranged for ten seconds: the eastern beacon near, the one in the hall far.
    private static func post(_ api: TestAPI) async throws -> String {
        let phone = try await api.newPhone()
        let readings = (0..<10).flatMap { second in
            [(3, 1.5), (2, 9.0)].map { minor, metres in
                #"{"uuid":"\#(BadgeRecords.uuid)","major":9,"minor":\#(minor),"proximity":"near","distance":\#(metres),"#
                    + #""timestamp":"2026-11-02T11:5\#(second / 6):\#(second % 6)0Z"}"#
            }
        }
        let body = #"{"phone":"\#(phone.id)","interactions":[\#(readings.joined(separator: ","))]}"#
        return try await api.post("/v1/interactions", body, secret: phone.secret).text
    }

    private static func hear(_ api: TestAPI) throws {
        let now = api.clock.withLock { $0 }
        let records = SurveyedFloor.lines(minutes: 0..<2).split(separator: "\n").compactMap {
            try? RecordReader.read(Array($0.utf8))
        }
        #expect(records.count == 6)
        _ = try api.store.use { try $0.store(records, now: now) }
    }

    @Test func `A phone is told in which room it is, by beacons with known positions`() async throws {
        let configuration = """
            [localisation]
            plan = "floors.toml"
            phones = true
            """
        try await TestAPI.with(configuration: configuration, files: ["floors.toml": SurveyedFloor.plan]) { api in
            // Nobody knows yet where the beacons hang.
            let answer = try await Self.post(api)
            #expect(!answer.contains("location"))
        }
        try await TestAPI.with(configuration: configuration, files: ["floors.toml": SurveyedFloor.plan]) { api in
            try Self.hear(api)
            let answer = try await Self.post(api)
            #expect(answer.contains(#""room":"HB 2.11""#) && answer.contains(#""building":"main""#), "\(answer)")
        }
    }

    @Test func `Phones are not located unless the configuration says so`() async throws {
        let configuration = "[localisation]\nplan = \"floors.toml\"\n"
        try await TestAPI.with(configuration: configuration, files: ["floors.toml": SurveyedFloor.plan]) { api in
            try Self.hear(api)
            let answer = try await Self.post(api)
            #expect(!answer.contains("location"))
        }
    }
}
