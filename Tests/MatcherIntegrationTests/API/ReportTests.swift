import InteractionStore
import Matching
import RecordContract
import SystemIO
import Testing

@testable import MatcherCore

@Suite("Positive reports over HTTP") struct ReportTests {
    // Both within 3 m of one beacon: ann 8:00-8:20, ben 8:10-8:30; together for 10 minutes, which is more than 5.
    @Test(arguments: Backend.installed)
    func `Whoever was near somebody whom a health authority vouches for is exposed`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(ben.identity, 10...30, sequence: 2)
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("level") == "low")
            let token = try await api.token(api.claims(of: ann))
            let answer = try await api.post("/v1/reports", api.reportBody(ann, verification: token))
            #expect(answer.status == 201)
            #expect(try answer.member("type") == "confirmed")
            #expect(try answer.member("counts") == "true")
            try api.match()
            let risk = try await api.get(ben.path + "/risk", secret: ben.secret)
            #expect(try risk.member("level") == "medium")
            #expect(try risk.member("exposures") == "1")
            let exposures = try await api.get(ben.path + "/exposures", secret: ben.secret)
            #expect(try api.store.use { try $0.exposures(of: ben.identity) }.map(\.minutes) == [10])
            // Nobody learns who it was; and a phone, which anybody can invent, not where and when of the day.
            #expect(!exposures.text.contains(ann.id))
            #expect(exposures.text.contains(#""start":"2026-11-02T00:00:00Z""#))
            for hidden in [#""place":"#, #""beacon":"#, "positiveDistance", "101", "T08:", "vectors"] {
                #expect(!exposures.text.contains(hidden))
            }
            #expect(try await api.get(ann.path + "/risk", secret: ann.secret).member("level") == "low")
        }
    }

    // A badge that lies on a desk had told its carrier when somebody positive came by, how near the desk, and for how long.
    @Test(arguments: Backend.installed)
    func `A badge's carrier is told a level and days, and nothing else`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let ann = try await api.newPhone()
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(badge, 10...30, sequence: 2)
            let token = try await api.token(api.claims(of: ann))
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            try api.match()
            let exposures = try await api.get(
                "/v1/subjects/\(badge.description.replacing("/", with: "%2F"))/exposures",
                secret: api.secrets.secret(of: badge))
            #expect(exposures.status == 200)
            #expect(
                exposures.text
                    == #"{"exposures":[{"end":"2026-11-03T00:00:00Z","policy":{"name":"further","version":"\#(api.policy.version)"},"start":"2026-11-02T00:00:00Z","subject":{"id":"\#(badge.id)","kind":"badge"}}]}"#
            )
            let risk = try await api.get(
                "/v1/subjects/\(badge.description.replacing("/", with: "%2F"))/risk",
                secret: api.secrets.secret(of: badge))
            for hidden in ["value", "minutes\":", ann.id] {
                #expect(!risk.text.contains(hidden), "\(risk.text)")
            }
            let notice = try #require(try api.store.use { try $0.notice(for: badge) })
            #expect(NoticeDocument(notice).latest == "2026-11-02T00:00:00Z", "\(notice)")
        }
    }

    @Test func `What nobody vouches for is stored, and nothing follows from it`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let more =
                #","test":{"date":"2026-11-01","result":"positive"},"symptoms":{"feelingSick":true,"hasBeenTested":true,"testResult":"positive","lastUpdate":"2026-11-02T07:00:00Z"}"#
            let answer = try await api.post("/v1/reports", api.reportBody(ann, more: more))
            #expect(answer.status == 201)
            #expect(try answer.member("type") == "self-reported")
            #expect(try answer.member("counts") == "false")
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("level") == "low")
            let report = try #require(try api.store.use { try $0.reports(since: 0) }.first)
            #expect(report.positive.reportType == .selfReported)
            // Further's questionnaire, for a health officer.
            let symptoms = try JSON.decode(
                ReportRequest.Symptoms.self, from: Array(try #require(report.symptoms).utf8))
            #expect(
                symptoms
                    == .init(
                        feelingSick: true, hasBeenTested: true, testResult: "positive",
                        lastUpdate: "2026-11-02T07:00:00Z"))
            #expect(symptoms.text == "feels sick, was tested, result positive (2026-11-02T07:00:00Z)")
            let location =
                switch api.location {
                case .sqlite(let path): path
                case .postgreSQL(let text): text
                }
            let listed = try await TestMatcher.run(["reports", "--store", location])
            #expect(listed.status == 0 && listed.output.count == 2)
            #expect(
                listed.output.last?.contains("self-reported  2026-11-01         phone:\(ann.id)") == true,
                "\(listed.output)")
            #expect(listed.output.last?.contains("feels sick, was tested") == true)
            #expect(listed.errorOutput == ["1 report"])
        }
    }

    @Test func `Where the policy lets it count, what nobody vouches for has exposures, and no place in the list`()
        async throws
    {
        try await TestAPI.with(selfReported: 1) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let more = #","test":{"date":"2026-11-01","result":"positive"}"#
            let answer = try await api.post("/v1/reports", api.reportBody(ann, more: more))
            #expect(try answer.member("counts") == "true")
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("level") == "medium")
            let listed = try api.store.use { store in
                try store.publish(scheme: PositiveScheme.id.rawValue, slots: 0..<8)
                return try store.published(scheme: PositiveScheme.id.rawValue, slots: 0..<8)
            }
            #expect(listed.isEmpty)
        }
    }

    // Ann carries a phone and a badge, and Ben is there for 20 minutes. The app reports both, the officer the badge alone.
    @Test func `Who reports by app and by the officer exposes others once, and not the own phone`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            for (sequence, subject) in [ann.identity, badge, ben.identity].enumerated() {
                try api.hear(subject, 0...20, sequence: UInt64(sequence) + 1)
            }
            let now = api.clock.withLock { $0 }
            for (reference, names) in [("app", [ann.identity, badge]), ("officer", [badge])] {
                let report = PositiveReport(
                    reference: reference, received: now, positive: PositiveCase(reportType: .confirmed),
                    subjects: names.map { .init(identity: $0, since: morning, until: now) })
                #expect(try api.store.use { try $0.add(report).number } != nil)
            }
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("exposures") == "1")
            #expect(try await api.get(ann.path + "/risk", secret: ann.secret).member("exposures") == "0")
            #expect(try api.store.use { try $0.exposures(of: ben.identity) }.count == 1)
            #expect(try api.store.use { try $0.notices() }.map(\.subject) == [ben.identity])
        }
    }

    @Test(
        "A report from which nothing could follow is refused",
        arguments: [
            (#","onset":"2025-11-01""#, "onset 2025-11-01 is more than 30 days before"),
            (#","test":{"date":"2025-11-01"}"#, "test.date 2025-11-01 is more than 30 days before"),
            (#","onset":"2027-11-01""#, "onset is in the future"),
            (#","test":{"date":"2027-11-01"}"#, "test.date is in the future"),
            (#","onset":"2026-10-01""#, "onset 2026-10-01 makes nobody infectious by en-v2"),
        ])
    func implausible(more: String, detail: String) async throws {
        try await TestAPI.with(policy: "en-v2") { api in
            let ann = try await api.newPhone()
            let answer = try await api.post("/v1/reports", api.reportBody(ann, more: more))
            #expect(answer.status == 422)
            #expect(answer.text.contains(detail), "\(answer.text)")
            #expect(try api.reports() == 0)
        }
    }

    @Test(
        arguments: [
            #","test":{"date":"2026-13-01"}"#, #","test":{"date":"2027-01-01"}"#,
            #","test":{"date":"2026-11-01","result":"negative"}"#, #","onset":"yesterday""#,
            #","symptoms":{"testResult":"maybe"}"#, #","symptoms":{"lastUpdate":"2030-01-01T00:00:00Z"}"#,
            #","codes":[{"app":"other","code":"1","since":"2026-11-02T00:00:00Z","until":"2026-11-02T01:00:00Z"}]"#,
            #","codes":[{"app":"herald","code":"-1","since":"2026-11-02T00:00:00Z","until":"2026-11-02T01:00:00Z"}]"#,
            #","codes":[{"app":"herald","code":"1","since":"2026-11-02T02:00:00Z","until":"2026-11-02T01:00:00Z"}]"#,
            #","codes":[{"app":"exposure-notification","code":"zz","since":"2026-11-02T00:00:00Z","until":"2026-11-02T01:00:00Z"}]"#,
            #","seeds":[{"scheme":"x","day":"2026-11-02","seed":"1"}]"#,
            #","seeds":[{"scheme":"c19x","day":"2026-11-02","seed":"99999999999999999999"}]"#,
        ])
    func `A value that can't be is said with its place, and nothing is stored`(more: String) async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let answer = try await api.report(ann, more)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(try api.reports() == 0)
        }
    }
}
