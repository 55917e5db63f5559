import BeaconModel
import InteractionStore
import JWTKit
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

    @Test func `A verification counts once, whoever sends it again`() async throws {
        try await TestAPI.with { api in
            let (ann, eve) = (try await api.newPhone(), try await api.newPhone())
            let token = try await api.token(api.claims(of: ann))
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 409)
            #expect(try await api.post("/v1/reports", api.reportBody(eve, verification: token)).status == 403)
            #expect(try api.reports() == 1)
        }
    }

    /// Tokens that aren't believed, and why.
    enum Bad: String, CaseIterable {
        case forged, expired, early, longLived, otherAudience, otherIssuer, otherSubject, noID, unsigned, truncated
        case hugeTime
        case forNobody
        case manyNames
        case critical
        case unencoded
        case noAudience, otherAudiences
        case hugeNumberInHeader, numberWithinHeader
        case notAToken
    }

    @Test(arguments: Bad.allCases)
    func `A verification that isn't believed refuses the whole report`(bad: Bad) async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            var claims = api.claims(of: ann)
            var key: ES256PrivateKey?
            var header: JWTHeader = [:]
            switch bad {
            case .forged: key = ES256PrivateKey()
            case .expired: (claims.iat, claims.exp) = (claims.iat - 7200, claims.iat - 1)
            case .early: claims.nbf = claims.iat + 3600
            case .longLived: claims.exp = claims.iat + 15 * 86_400
            case .otherAudience: claims.aud = "another"
            case .otherIssuer: claims.iss = "https://else.example"
            case .otherSubject: claims.sub = "phone:somebody"
            case .noID: claims.jti = ""
            case .hugeTime: claims.exp = .max / 2
            case .forNobody: claims.sub = nil
            case .manyNames: claims.names = (0..<17).map { "phone:\($0)" }
            case .critical: header = ["crit": ["exp"]]
            case .unencoded: header = ["b64": false]
            // JWTKit's own type ends the process at it.
            case .noAudience: claims.aud = .several([])
            case .otherAudiences: claims.aud = .several(["a", "b"])
            case .unsigned, .truncated, .notAToken, .hugeNumberInHeader, .numberWithinHeader: break
            }
            var token = try await api.token(claims, key: key, header: header)
            let parts = token.split(separator: ".").map(String.init)
            switch bad {
            // {"alg":"none","typ":"JWT"}
            case .unsigned: token = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(parts[1])."
            case .truncated: token = "\(parts[0]).\(parts[1]).\(parts[2].dropLast(10))"
            case .notAToken: token = "a.b"
            // JWTKit ends the process at numbers of a header that no Int holds, before anything is verified.
            case .hugeNumberInHeader:
                token = "\(Base64URL.encode(#"{"alg":"ES256","x":9223372036854775808}"#.utf8)).\(parts[1]).\(parts[2])"
            case .numberWithinHeader:
                token = "\(Base64URL.encode(#"{"alg":"ES256","x":[{"y":1e300}]}"#.utf8)).\(parts[1]).\(parts[2])"
            default: break
            }
            let answer = try await api.post("/v1/reports", api.reportBody(ann, verification: token))
            #expect(answer.status == 403, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(try api.reports() == 0)
        }
    }

    @Test func `A verification for several audiences is believed where this one is among them`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            var claims = api.claims(of: ann)
            claims.aud = .several(["another", "campus"])
            let token = try await api.token(claims)
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
        }
    }

    // Whoever has a test of their own could have had others told of a stranger's contacts.
    @Test func `A verification is for those whom it names, and for nobody beside them`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            let body = { (token: String) in
                #"{"subjects":[{"kind":"phone","id":"\#(ann.id)","secret":"\#(ann.secret)"},"#
                    + #"{"kind":"badge","id":"\#(badge.id)","secret":"\#(api.secrets.secret(of: badge))"}],"verification":"\#(token)"}"#
            }
            var claims = api.claims(of: ann)
            let refused = try await api.post("/v1/reports", body(try await api.token(claims)))
            #expect(refused.status == 403 && refused.text.contains("subjects[1]"), "\(refused.text)")
            #expect(try api.reports() == 0)
            // It isn't spent.
            claims.names = [badge.description]
            #expect(try await api.post("/v1/reports", body(try await api.token(claims))).status == 201)
        }
    }

    @Test func `A refused report doesn't spend its verification`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let token = try await api.token(api.claims(of: ann))
            var wrong = ann
            wrong.secret = String(ann.secret.reversed())
            #expect(try await api.post("/v1/reports", api.reportBody(wrong, verification: token)).status == 403)
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
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

    @Test func `The test's day may not differ from what the authority vouches for`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            var claims = api.claims(of: ann)
            claims.testDate = "2026-10-30"
            let token = try await api.token(claims)
            let other = #","test":{"date":"2026-10-31"}"#
            #expect(
                try await api.post("/v1/reports", api.reportBody(ann, verification: token, more: other)).status == 422)
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            let report = try #require(try api.store.use { try $0.reports(since: 0).first })
            // 2026-10-30 is day 20756.
            #expect(report.positive.test == 20_756)
        }
    }
}
