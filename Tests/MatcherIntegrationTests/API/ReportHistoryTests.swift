import BeaconModel
import InteractionStore
import Matching
import RecordContract
import SystemIO
import Testing

@testable import MatcherCore

@Suite("Histories of codes in positive reports") struct ReportHistoryTests {
    // A phone of BLE-Proximity says 42 all day. Gateways publish a pseudonym of that day and site, which the report's
    // history of user ids has to lead to.
    @Test func `A history of user ids finds the pseudonyms under which gateways heard them`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let heard = try api.pseudonym(.user(.bleProximity, 42))
            try api.hear(heard, 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let commitment = try await api.commitment(
                ann, app: "ble-proximity", registered: morning - 86_400,
                [(42, "2026-11-02T00:00:00Z", "2026-11-02T11:00:00Z")])
            let code = #","commitments":[\#(commitment)]"#
            let token = try await api.token(api.claims(of: ann))
            let answer = try await api.post("/v1/reports", api.reportBody(ann, verification: token, more: code))
            #expect(answer.status == 201, "\(answer.text)")
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("level") == "medium")
            // With the phone goes what it said that its codes were.
            let erasure = try api.store.use { try $0.erase(ann.identity, now: api.clock.withLock { $0 }) }
            #expect(erasure.isComplete, "\(erasure)")
            #expect(try api.store.use { try $0.reportCount(of: heard) } == 0)
            #expect(try api.reports() == 0)
        }
    }

    // Gateways went over to another key, one after the other: Ben was near one that had the key of before.
    @Test func `A history of user ids finds pseudonyms under the key of before too`() async throws {
        try await TestAPI.with { api in
            let (ann, ben, cid) = (try await api.newPhone(), try await api.newPhone(), try await api.newPhone())
            let visits: [(key: [UInt8], other: TestAPI.Phone, minutes: ClosedRange<Int64>)] = [
                (TestAPI.formerPseudonymKey, ben, 0...20), (TestAPI.pseudonymKey, cid, 60...80),
            ]
            for (key, other, minutes) in visits {
                let pseudonym = Pseudonymizer(secret: key).pseudonym(
                    ofUser: 42, app: .bleProximity, site: "campus", day: "2026-11-02")
                let heard = try #require(SubjectIdentity(kind: "ble-proximity", id: pseudonym))
                try api.hear(heard, minutes, sequence: UInt64(minutes.lowerBound + 1))
                try api.hear(other.identity, minutes, sequence: UInt64(minutes.lowerBound + 2))
            }
            let commitment = try await api.commitment(
                ann, app: "ble-proximity", registered: morning - 86_400,
                [(42, "2026-11-02T00:00:00Z", "2026-11-02T11:00:00Z")])
            let answer = try await api.report(ann, #","commitments":[\#(commitment)]"#)
            #expect(answer.status == 201, "\(answer.text)")
            try api.match()
            for other in [ben, cid] {
                let risk = try await api.get(other.path + "/risk", secret: other.secret)
                #expect(try risk.member("level") == "medium")
            }
        }
    }

    // The same user id at two times of a day: 8:00 to 8:20 Ben was near.
    @Test func `A code that was said at two times of a day counts at both`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(try api.pseudonym(.user(.herald, 42)), 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let times = [("03:00", "04:00"), ("07:55", "08:30"), ("10:00", "11:00")].map { since, until in
                (code: UInt64(42), since: "2026-11-02T\(since):00Z", until: "2026-11-02T\(until):00Z")
            }
            let commitment = try await api.commitment(ann, app: "herald", registered: morning - 86_400, times)
            let more = #","commitments":[\#(commitment)]"#
            let token = try await api.token(api.claims(of: ann))
            #expect(
                try await api.post("/v1/reports", api.reportBody(ann, verification: token, more: more)).status == 201)
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("level") == "medium")
        }
    }

    // A seed of C19X stands for the 240 codes that a phone says on that day.
    @Test func `A published seed finds every code that follows from it`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let code = C19XCodes.beaconCodes(seed: -77)[123]
            let pseudonym = Pseudonymizer(secret: TestAPI.pseudonymKey).pseudonym(
                ofUser: UInt64(bitPattern: code), app: .c19x, site: "campus", day: "2026-11-02")
            try api.hear(try #require(SubjectIdentity(kind: "c19x", id: pseudonym)), 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let seed = #","seeds":[{"scheme":"c19x","day":"2026-11-02","seed":"-77"}]"#
            let token = try await api.token(api.claims(of: ann))
            #expect(
                try await api.post("/v1/reports", api.reportBody(ann, verification: token, more: seed)).status == 201)
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("level") == "medium")
        }
    }

    // The contact is of 2 November; a test counts for the ten days after it, so the last that reaches it is of 23 October.
    @Test(arguments: [("2026-10-23", "1"), ("2026-10-22", "0")])
    func `A test of long ago exposes nobody who was met since`(day: String, exposures: String) async throws {
        try await TestAPI.with(selfReported: 1) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let commitment = try await api.commitment(
                ann, app: "herald", registered: morning - 86_400, [(7, "2026-11-02T08:00:00Z", "2026-11-02T09:00:00Z")])
            let more = #","test":{"date":"\#(day)"},"commitments":[\#(commitment)]"#
            #expect(try await api.post("/v1/reports", api.reportBody(ann, more: more)).status == 201)
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("exposures") == exposures)
            let report = try #require(try api.store.use { try $0.reports(since: 0).first })
            #expect(report.subjects.contains { $0.identity.kind == "herald" } == (exposures == "1"))
        }
    }
}
