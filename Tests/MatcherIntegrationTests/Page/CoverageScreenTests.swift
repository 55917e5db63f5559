import Evidence
import InteractionStore
import Matching
import Pages
import RecordContract
import SignIn
import SystemIO
import Testing

@testable import MatcherDaemon

@Suite("Coverage on the page", .timeLimit(.minutes(10))) struct CoverageScreenTests {
    private static let gateway = "campus/main/1/east"

    /// A minute of the gateway in 101, in which it heard one badge.
    private func readings(_ minute: Int64, of badge: SubjectIdentity) -> ReceivedRecord {
        .readings(
            ReadingsRecord(
                position: RecordPosition(boot: 2, sequence: UInt64(minute)), gateway: Self.gateway,
                receiver: Self.gateway,
                place: PlaceName(
                    key: Self.gateway, site: "campus", building: "main", floor: "1", gateway: Self.gateway,
                    room: "101", beacon: nil),
                start: morning + minute * 60, end: morning + minute * 60 + 60, listened: 60,
                clockIsSynchronized: true,
                subjects: [ReadingsRecord.Subject(identity: badge, count: 55, rssi: -60)]))
    }

    @Test("Operators see where too few receivers are in reach in the last hour, and what to do")
    func lastHour() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let browser = try api.browser(.operator)
            let empty = try await browser.get("/coverage")
            #expect(empty.status == 200 && empty.text.contains("nothing is known about it"))
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            _ = try api.store.use { store in
                try store.store((200...209).map { readings($0, of: badge) }, now: api.clock.withLock { $0 })
            }
            let shown = try await browser.get("/coverage").text
            for text in ["Mon 2026-11-02, 11:00 to 12:00", "campus/main/1: one receiver.", "100 %"] {
                #expect(shown.contains(text), "\(text)")
            }
            #expect(!shown.contains(badge.description))
            #expect(try await api.browser(.officer).get("/coverage").status == 403)
        }
    }

    @Test("Coverage is counted for one request at a time, and for the next one afterwards")
    func turn() async throws {
        let turn = CoverageTurn()
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, coverageTurn: turn) { api in
            let browser = try api.browser(.operator)
            for _ in 1...2 { #expect(try await browser.get("/coverage").status == 200) }
            #expect(turn.take())
            let answer = try await browser.get("/coverage")
            #expect(answer.status == 429 && answer.text.contains("being counted for somebody else"))
            turn.giveBack()
            #expect(try await browser.get("/coverage").status == 200)
        }
    }
}
