import InteractionStore
import Matching
import Testing

@testable import MatcherCore

@Suite("Subjects of positive reports") struct ReportSubjectTests {
    @Test func `A badge in a report is the identity of a beacon, however it is written`() async throws {
        try await TestAPI.with { api in
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            func report(_ id: String) async throws -> Int {
                let body =
                    #"{"subjects":[{"kind":"badge","id":"\#(id)","secret":"\#(api.secrets.secret(of: badge))"}]}"#
                return try await api.post("/v1/reports", body).status
            }
            #expect(try await report("E2C56DB5DFFB48D2B060D0F5A71096E0/5/6") == 201)
            #expect(try api.store.use { try $0.reports(since: 0) }.first?.subjects.map(\.identity) == [badge])
            #expect(try await report("e2c56db5-dffb-48d2-b060-d0f5a71096e/5/6") == 422)
            #expect(try await report("xyz") == 422)
        }
    }

    @Test func `Somebody else's badge can't be reported without its secret`() async throws {
        try await TestAPI.with { api in
            let badge = try #require(SubjectIdentity("badge:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/5/6"))
            let body = { (secret: String) in
                #"{"subjects":[{"kind":"badge","id":"\#(badge.id)","secret":"\#(secret)"}]}"#
            }
            #expect(try await api.post("/v1/reports", body("guess")).status == 403)
            #expect(try await api.post("/v1/reports", body(api.secrets.secret(of: badge))).status == 201)
        }
    }

    // A phone that was got yesterday; the policy looks back for longer.
    @Test func `What was somebody else's before is reported from when it was handed on`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            func body(_ since: String) -> String {
                #"{"subjects":[{"kind":"phone","id":"\#(ann.id)","secret":"\#(ann.secret)","since":"\#(since)"}]}"#
            }
            #expect(try await api.post("/v1/reports", body("2026-11-01T08:00:00Z")).status == 201)
            #expect(try await api.post("/v1/reports", body("2025-11-01T08:00:00Z")).status == 201)
            let since = try api.store.use { try $0.reports(since: 0).flatMap(\.subjects).map(\.since) }
            #expect(since.max() == morning - 86_400 && since.count == 2)
            #expect(since.allSatisfy { $0 >= morning - 15 * 86_400 })
            for wrong in ["2027-11-01T08:00:00Z", "yesterday"] {
                #expect(try await api.post("/v1/reports", body(wrong)).status == 422)
            }
            #expect(try api.reports() == 2)
        }
    }

    @Test func `A subject reports so often, and not more`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            for _ in 0..<50 { #expect(try await api.post("/v1/reports", api.reportBody(ann)).status == 201) }
            #expect(try await api.post("/v1/reports", api.reportBody(ann)).status == 429)
            // Nor behind another phone.
            let other = try await api.newPhone()
            let both = [other, ann].map { #"{"kind":"phone","id":"\#($0.id)","secret":"\#($0.secret)"}"# }
            let body = #"{"subjects":[\#(both.joined(separator: ","))]}"#
            #expect(try await api.post("/v1/reports", body).status == 429)
            #expect(try api.reports() == 50)
        }
    }

    private func body(_ badge: SubjectIdentity, _ api: TestAPI, more: String = "") -> String {
        let secret = api.secrets.secret(of: badge)
        return #"{"subjects":[{"kind":"badge","id":"\#(badge.id)","secret":"\#(secret)"\#(more)}]}"#
    }

    // Ann had the badge until 8:20, and Ben since then. Cid was near Ann only, Dan near Ben only.
    @Test(arguments: Backend.installed)
    func `Contacts of a badge's former owner aren't exposed by the next one's report`(backend: Backend) async throws {
        try await TestAPI.with(backend, selfReported: 1) { api in
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            let (cid, dan) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(badge, 0...30, sequence: 1)
            try api.hear(cid.identity, 0...18, sequence: 2)
            try api.hear(dan.identity, 22...40, sequence: 3)
            let answer = try await api.post(
                "/v1/reports", body(badge, api, more: #","since":"2026-11-02T08:20:00Z""#))
            #expect(answer.status == 201, "\(answer.text)")
            try api.match()
            #expect(try await api.get(cid.path + "/risk", secret: cid.secret).member("exposures") == "0")
            let exposures = try await api.get(dan.path + "/exposures", secret: dan.secret)
            #expect(exposures.status == 200)
            #expect(try api.store.use { try $0.exposures(of: dan.identity) }.map(\.minutes) == [8])
        }
    }

    @Test func `A fixed beacon can't be reported`() async throws {
        try await TestAPI.with(selfReported: 1) { api in
            let beacon = try #require(SubjectIdentity("badge:" + TestAPI.beacon))
            let ann = try await api.newPhone()
            try api.hear(ann.identity, 0...20, sequence: 1)
            let body = body(beacon, api)
            // As every iPhone writes a UUID, too.
            for written in [body, body.replacing(beacon.id, with: beacon.id.uppercased())] {
                let answer = try await api.post("/v1/reports", written)
                #expect(answer.status == 422)
                #expect(answer.text.contains("subjects[0] is a fixed beacon, which nobody carries"), "\(answer.text)")
            }
            #expect(try api.reports() == 0)
        }
    }
}
