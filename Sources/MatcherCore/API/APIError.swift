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
        Self(.badRequest, "malformed", found, "send JSON as /v1/openapi.json describes it")
    }

    package static let noHost = Self(
        .badRequest, "malformed", "the request must name one host", "send one Host header (RFC 9112, section 3.2)")

    package static let takesNoBody = Self(.contentTooLarge, "too-large", "this takes no body", "send none")

    package static let tooSlow = Self(.requestTimeout, "too-slow", "the body didn't come in time", "send it at once")

    package static let tooLarge = Self(.contentTooLarge, "too-large", "the body is too large", "send less at once")

    package static let unauthorized = Self(
        .unauthorized, "unauthorized", "there is no such subject, or this isn't its secret",
        "give the secret that was issued with the id: Authorization: Bearer SECRET")

    package static let unauthorizedOperator = Self(
        .unauthorized, "unauthorized", "this is no operator's token",
        "give what a token-file of [[operators]] holds: Authorization: Bearer TOKEN")

    package static let wrongCredential = Self(
        .unauthorized, "credential-error", "nobody of the roster has this id and secret",
        "give id and secret of what the roster says that the student carries")

    package static func forbidden(_ detail: String, _ remedy: String) -> Self {
        Self(.forbidden, "forbidden", detail, remedy)
    }

    package static let noEnrolment = forbidden(
        "the code isn't valid", "ask the institution for one: each is for some phones, and for some days")

    package static let alreadyUsed = Self(
        .conflict, "already-used", "the verification was used before", "each counts once: ask for another")

    package static func tooMany(retryAfter: Int64) -> Self {
        var error = Self(.tooManyRequests, "too-many", "too many requests", "wait \(retryAfter) s")
        error.retryAfter = retryAfter
        return error
    }

    package static let alreadyAsking: Self = {
        var error = Self(
            .tooManyRequests, "too-many", "another question of this operator is being answered", "ask one at a time")
        error.retryAfter = 5
        return error
    }()

    package static let notFound = Self(.notFound, "not-found", "there is nothing here", "see /v1/openapi.json")

    package static func wrongMethod(_ allowed: String) -> Self {
        var error = Self(.methodNotAllowed, "wrong-method", "this takes \(allowed)", nil)
        error.allowed = allowed
        return error
    }

    package static let notJSON = Self(
        .unsupportedMediaType, "not-json", "the body isn't said to be JSON", "send Content-Type: application/json")

    package static let unavailable = Self(
        .serviceUnavailable, "unavailable", "this can't be answered now; the log says why", "try again later")

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
