import HTTPTypes
import Matching

/// Operation that a request asks for.
enum APIRoute: Equatable, Sendable {
    case openAPI
    case keys
    case positives
    /// Positives of a day, `YYYY-MM-DD`.
    case positivesOfDay(String)
    case newPhone
    case interactions
    case commitments
    case reports
    case risk(SubjectIdentity)
    case exposures(SubjectIdentity)
    case exposuresRead(SubjectIdentity)
    case events(SubjectIdentity)
    case checkIns
    case attendance
    case occupancy

    /// Group of clients that can use a route.
    enum Access: Equatable, Sendable, CaseIterable {
        case anybody
        /// Clients with an enrolment code of the institution, where one is required.
        case enrolment
        /// The subject in the path, authenticated by its secret.
        case subject
        /// The carrier of the subject in the body, authenticated by its secret.
        case carrier
        /// The reporter of the subjects in the body, authenticated by their secrets in the body.
        case reporter
        /// The operators in `[[operators]]`.
        case operators
    }

    /// Route: the path as in the OpenAPI document, the allowed method, its clients, and the largest body in bytes.
    ///
    /// Bodies are read before the sender is known, because they identify it: they hold the secrets of a reporter, or
    /// the id of the phone whose secret is in the header. Each limit is as large as the route needs: 5,000 codes and as
    /// many of commitments take a megabyte.
    typealias Entry = (path: String, method: HTTPRequest.Method, access: Access, largestBody: Int)

    static let table: [Entry] = [
        ("/v1/openapi.json", .get, .anybody, 0),
        ("/v1/keys", .get, .anybody, 0),
        ("/v1/positives", .get, .anybody, 0),
        ("/v1/positives/{day}", .get, .anybody, 0),
        ("/v1/phones", .post, .enrolment, 4096),
        ("/v1/interactions", .post, .carrier, 262_144),
        ("/v1/commitments", .post, .carrier, 4096),
        ("/v1/reports", .post, .reporter, 1_048_576),
        ("/v1/subjects/{id}/risk", .get, .subject, 0),
        ("/v1/subjects/{id}/exposures", .get, .subject, 0),
        ("/v1/subjects/{id}/exposures/read", .post, .subject, 4096),
        ("/v1/subjects/{id}/events", .get, .subject, 0),
        ("/v1/check-ins", .post, .carrier, 4096),
        ("/v1/attendance", .get, .operators, 0),
        ("/v1/occupancy", .get, .operators, 0),
    ]

    /// The subject that the path names.
    var subject: SubjectIdentity? {
        switch self {
        case .risk(let subject), .exposures(let subject), .exposuresRead(let subject), .events(let subject): subject
        case .openAPI, .keys, .positives, .positivesOfDay, .newPhone, .interactions, .commitments, .reports, .checkIns,
            .attendance, .occupancy:
            nil
        }
    }

    /// Returns the entry of a path in the table.
    static func entry(ofPath path: String) -> Entry? {
        let levels = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        return table.first { matches(levels, $0.path) }
    }

    /// Creates a route from a request.
    ///
    /// - Parameter path: path without the query.
    init(_ method: HTTPRequest.Method, path: String) throws(APIError) {
        let levels = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard let entry = Self.entry(ofPath: path) else { throw .notFound }
        guard entry.method == method else { throw .wrongMethod(entry.method.rawValue) }
        switch entry.path {
        case "/v1/openapi.json": self = .openAPI
        case "/v1/keys": self = .keys
        case "/v1/positives": self = .positives
        case "/v1/positives/{day}": self = .positivesOfDay(levels[2])
        case "/v1/phones": self = .newPhone
        case "/v1/interactions": self = .interactions
        case "/v1/commitments": self = .commitments
        case "/v1/reports": self = .reports
        case "/v1/check-ins": self = .checkIns
        case "/v1/attendance": self = .attendance
        case "/v1/occupancy": self = .occupancy
        default:
            // The answer does not reveal which subjects exist.
            guard let text = Self.decoded(levels[2]), let subject = SubjectIdentity(text) else { throw .unauthorized }
            switch levels.dropFirst(3).joined(separator: "/") {
            case "risk": self = .risk(subject)
            case "exposures": self = .exposures(subject)
            case "exposures/read": self = .exposuresRead(subject)
            default: self = .events(subject)
            }
        }
    }

    private static func matches(_ levels: [String], _ template: String) -> Bool {
        let expected = template.split(separator: "/")
        return levels.count == expected.count
            && zip(levels, expected).allSatisfy { $1.first == "{" ? !$0.isEmpty : $0 == $1 }
    }

    /// Returns text without percent-encoding (RFC 3986, section 2.1); `nil` if the encoding is damaged.
    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
