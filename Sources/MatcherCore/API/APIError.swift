package import HTTPTypes
import RecordContract

/// Problem details of a refused request (RFC 9457).
package struct APIError: Error, Equatable, Sendable {
    package var status: HTTPResponse.Status
    /// Kind of the problem: the last part of the problem's `type`.
    package var type: String
    package var detail: String
    package var remedy: String?
    /// Seconds after which the client can try again.
    package var retryAfter: Int64?
    /// The method that the path accepts.
    package var allowed: String?

    private init(_ status: HTTPResponse.Status, _ type: String, _ detail: String, _ remedy: String?) {
        self.status = status
        self.type = type
        self.detail = detail
        self.remedy = remedy
    }

    /// Returns the problem of a value that is not allowed.
    ///
    /// - Parameters:
    ///   - place: where the value is, in the body or the query.
    ///   - found: `found "x"`.
    ///   - allowed: `must be ...`.
    package static func invalid(_ place: String, _ found: String, _ allowed: String) -> Self {
        Self(.unprocessableContent, "invalid", "\(place) \(found); \(allowed)", nil)
    }

    package static func malformed(_ found: String) -> Self {
        Self(.badRequest, "malformed", found, "send JSON as described in /v1/openapi.json")
    }

    package static let noHost = Self(
        .badRequest, "malformed", "the request must name one host", "send one Host header (RFC 9112, section 3.2)")

    package static let takesNoBody = Self(.contentTooLarge, "too-large", "this request takes no body", "send no body")

    package static let tooSlow = Self(
        .requestTimeout, "too-slow", "the body was not received in time", "send it without delay")

    package static let tooLarge = Self(.contentTooLarge, "too-large", "the body is too large", "split the request")

    package static let unauthorized = Self(
        .unauthorized, "unauthorized", "unknown subject, or wrong secret",
        "send the secret that was issued with the id: Authorization: Bearer SECRET")

    package static let unauthorizedOperator = Self(
        .unauthorized, "unauthorized", "unknown operator token",
        "send the contents of a token-file of [[operators]]: Authorization: Bearer TOKEN")

    package static let wrongCredential = Self(
        .unauthorized, "credential-error", "no student in the roster has this id and secret",
        "send the id and secret of the badge or phone that the roster lists for the student")

    package static func forbidden(_ detail: String, _ remedy: String) -> Self {
        Self(.forbidden, "forbidden", detail, remedy)
    }

    package static let noEnrolment = forbidden(
        "the code is not valid", "ask the institution for a code: each is limited in phones and days")

    /// Answer to wrong, used and expired verification codes alike, which does not reveal which of them it was.
    package static let noSuchCode = Self(
        .forbidden, "no-such-code", "there is no such code, or it was used, or it has expired",
        "check the code, or ask the health officer for another one")

    package static let alreadyUsed = Self(
        .conflict, "already-used", "the verification was already used",
        "request another one: each can be used only once")

    package static func tooMany(retryAfter: Int64) -> Self {
        var error = Self(.tooManyRequests, "too-many", "too many requests", "wait \(retryAfter) s")
        error.retryAfter = retryAfter
        return error
    }

    package static let alreadyAsking: Self = {
        var error = Self(
            .tooManyRequests, "too-many", "another request of this operator is being processed",
            "send one request at a time")
        error.retryAfter = 5
        return error
    }()

    package static let notFound = Self(.notFound, "not-found", "there is no such resource", "see /v1/openapi.json")

    package static let notLive = Self(
        .notFound, "not-live", "live positions are switched off", "set localisation.live")

    package static func wrongMethod(_ allowed: String) -> Self {
        var error = Self(.methodNotAllowed, "wrong-method", "this resource accepts \(allowed)", nil)
        error.allowed = allowed
        return error
    }

    package static let notJSON = Self(
        .unsupportedMediaType, "not-json", "the body is not declared as JSON", "send Content-Type: application/json")

    package static let notForm = Self(
        .unsupportedMediaType, "not-form", "the body is not declared as a form", "send the form from the page")

    package static let busy: Self = {
        var error = Self(
            .serviceUnavailable, "busy", "too many large requests are being received", "try again in a minute")
        error.retryAfter = 60
        return error
    }()

    package static let unavailable = Self(
        .serviceUnavailable, "unavailable", "the request cannot be answered now; the server's log has the reason",
        "try again later")

    /// Whether further data on the connection is ignored.
    package var endsConnection: Bool { status == .requestTimeout || status == .contentTooLarge || self == .noHost }

    private struct Document: Encodable {
        var type: String
        var title: String
        var status: Int
        var detail: String
        var remedy: String?
    }

    /// The problem in JSON.
    package var document: [UInt8] {
        JSON.encode(
            Document(
                type: "urn:beacon-matcher:problem:\(type)", title: status.reasonPhrase, status: status.code,
                detail: detail, remedy: remedy))
    }
}
