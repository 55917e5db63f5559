import InteractionStore
import Matching
import OperatorText
import RecordContract
import SystemIO
import Testing

@testable import MatcherCore

extension TestAPI {
    /// A code and when it was said, in RFC 3339.
    typealias Said = (code: UInt64, since: String, until: String)

    /// Has a phone commit itself to codes.
    ///
    /// - Parameters:
    ///   - day: `YYYY-MM-DD`.
    ///   - registered: when it does so, in seconds since 1970; never for `nil`.
    /// - Returns: what a report has in `commitments`.
    func commitment(
        _ phone: Phone, app: String, day: String = "2026-11-02", registered: Int64?, _ said: [Said]
    ) async throws -> String {
        let salt = "c2FsdCBvZiBhIHBob25lIDE"
        let text = CodeCommitmentText(
            app: app, day: try #require(DayText.parse(day)), salt: salt, codes: said.map(\.code))
        if let registered {
            let now = clock.withLock { $0 }
            clock.withLock { $0 = registered }
            let answer = try await post(
                "/v1/commitments", #"{"phone":"\#(phone.id)","day":"\#(day)","hash":"\#(text.hash)"}"#,
                secret: phone.secret)
            clock.withLock { $0 = now }
            #expect(answer.status == 201, "\(answer.text)")
        }
        let codes = said.map { #"{"code":"\#($0.code)","since":"\#($0.since)","until":"\#($0.until)"}"# }
        return #"{"app":"\#(app)","day":"\#(day)","salt":"\#(salt)","codes":[\#(codes.joined(separator: ","))]}"#
    }

    /// As a gateway names who says a code on 2 November.
    func pseudonym(_ code: RotatingCode, day: String = "2026-11-02") throws -> SubjectIdentity {
        let pseudonymizer = Pseudonymizer(secret: Self.pseudonymKey)
        let id =
            switch code {
            case .user(let app, let code): pseudonymizer.pseudonym(ofUser: code, app: app, site: "campus", day: day)
            case .exposureNotification(let identifier):
                pseudonymizer.pseudonym(of: identifier, site: "campus", day: day)
            }
        return try #require(SubjectIdentity(kind: code.kind, id: id))
    }

    /// A confirmed report.
    ///
    /// - Parameter more: members of its body, from a comma on.
    func report(_ phone: Phone, _ more: String) async throws -> Answer {
        var claims = claims(of: phone)
        claims.jti = "\(phone.id)/\(try reports())"
        return try await post("/v1/reports", reportBody(phone, verification: try await token(claims), more: more))
    }

    func level(_ phone: Phone) async throws -> String {
        try match()
        return try await get(phone.path + "/risk", secret: phone.secret).member("level")
    }

    /// What commands take for `--store`.
    var locationText: String {
        switch location {
        case .sqlite(let path): path
        case .postgreSQL(let text): text
        }
    }
}
