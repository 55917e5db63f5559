import InteractionStore
import JWTKit
import Matching
import RecordContract
import Testing

@testable import MatcherCore

@Suite("Verifications of positive reports") struct ReportVerificationTests {
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
