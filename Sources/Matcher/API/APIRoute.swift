import HTTPTypes
import Matching

/// What a request is about.
enum APIRoute: Equatable, Sendable {
    case openAPI
    case keys
    case positives
    /// A day, `YYYY-MM-DD`.
    case positivesOfDay(String)
    case newPhone
    case interactions
    case reports
    case risk(SubjectIdentity)
    case exposures(SubjectIdentity)
    case exposuresRead(SubjectIdentity)
    case events(SubjectIdentity)
    case checkIns
    case attendance
    case occupancy

    /// Paths as the OpenAPI document has them, and what is allowed there.
    static let table: [(path: String, method: HTTPRequest.Method)] = [
        ("/v1/openapi.json", .get),
        ("/v1/keys", .get),
        ("/v1/positives", .get),
        ("/v1/positives/{day}", .get),
        ("/v1/phones", .post),
        ("/v1/interactions", .post),
        ("/v1/reports", .post),
        ("/v1/subjects/{id}/risk", .get),
        ("/v1/subjects/{id}/exposures", .get),
        ("/v1/subjects/{id}/exposures/read", .post),
        ("/v1/subjects/{id}/events", .get),
        ("/v1/check-ins", .post),
        ("/v1/attendance", .get),
        ("/v1/occupancy", .get),
    ]

    /// - Parameter path: without the query.
    init(_ method: HTTPRequest.Method, path: String) throws(APIError) {
        let levels = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let entry = Self.table.first { Self.matches(levels, $0.path) }
        guard let entry else { throw .notFound }
        guard entry.method == method else { throw .wrongMethod(entry.method.rawValue) }
        switch entry.path {
        case "/v1/openapi.json": self = .openAPI
        case "/v1/keys": self = .keys
        case "/v1/positives": self = .positives
        case "/v1/positives/{day}": self = .positivesOfDay(levels[2])
        case "/v1/phones": self = .newPhone
        case "/v1/interactions": self = .interactions
        case "/v1/reports": self = .reports
        case "/v1/check-ins": self = .checkIns
        case "/v1/attendance": self = .attendance
        case "/v1/occupancy": self = .occupancy
        default:
            // Nobody learns from the answer which subjects there are.
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

    /// Without percent-encoding (RFC 3986, section 2.1); `nil` when that is damaged.
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
