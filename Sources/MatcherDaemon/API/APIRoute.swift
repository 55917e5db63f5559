import HTTPTypes
import Hummingbird
import MatcherCore

/// Operation of the API: where it is, who can use it, and what carries it out.
struct APIRoute: Sendable {
    /// Group of clients that can use a route.
    enum Access: Equatable, Sendable, CaseIterable {
        case anybody
        /// Clients with an enrolment code of the institution, where one is required.
        case enrolment
        /// Anybody with a verification code of a health officer. Unlike requests of `anybody`, wrong codes are logged.
        case code
        /// The subject in the path, authenticated by its secret.
        case subject
        /// The carrier of the subject in the body, authenticated by its secret.
        case carrier
        /// The reporter of the subjects in the body, authenticated by their secrets in the body.
        case reporter
        /// The operators in `[[operators]]`.
        case operators
    }

    /// The only method that the path takes.
    let method: HTTPRequest.Method
    /// Path as in the OpenAPI document: `/v1/subjects/{id}/risk`.
    let path: String
    let access: Access
    /// Largest body, in bytes; 0 for a route that takes none.
    ///
    /// Bodies are read before the sender is known, because they identify it: they hold the secrets of a reporter, or
    /// the id of the phone whose secret is in the header. Each limit is as large as the route needs: 5,000 codes and as
    /// many of commitments take a megabyte.
    let largestBody: Int
    /// Carries the operation out; throws `APIError` or `StoreError`.
    let answer: @Sendable (APIService, APIRequest) async throws -> APIAnswer

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, upTo largestBody: Int = 0,
        answer: @escaping @Sendable (APIService, APIRequest) async throws -> APIAnswer
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.largestBody = largestBody
        self.answer = answer
    }

    static let table: [APIRoute] = [
        APIRoute(.get, "/v1/openapi.json", .anybody) { _, _ in .json(.ok, OpenAPIDocument.bytes) },
        APIRoute(.get, "/v1/keys", .anybody) { service, _ in .json(.ok, service.pages.publicKeys) },
        APIRoute(.get, "/v1/positives", .anybody) { try await $0.positives($1) },
        APIRoute(.get, "/v1/positives/{day}", .anybody) { try await $0.positivesOfDay($1) },
        APIRoute(.post, "/v1/phones", .enrolment, upTo: 4096) { try await $0.enrol($1) },
        APIRoute(.post, "/v1/interactions", .carrier, upTo: 262_144) { try await $0.interactions($1) },
        APIRoute(.post, "/v1/commitments", .carrier, upTo: 4096) { try await $0.commit($1) },
        APIRoute(.post, "/v1/codes/exchange", .code, upTo: 4096) { try await $0.exchange($1) },
        APIRoute(.post, "/v1/reports", .reporter, upTo: 1_048_576) { try await $0.report($1) },
        APIRoute(.get, "/v1/subjects/{id}/risk", .subject) { try await $0.risk($1) },
        APIRoute(.get, "/v1/subjects/{id}/exposures", .subject) { try await $0.exposures($1) },
        APIRoute(.post, "/v1/subjects/{id}/exposures/read", .subject, upTo: 4096) { try await $0.exposuresRead($1) },
        APIRoute(.get, "/v1/subjects/{id}/events", .subject) { try await $0.events($1) },
        APIRoute(.post, "/v1/check-ins", .carrier, upTo: 4096) { try await $0.checkIn($1) },
        APIRoute(.get, "/v1/attendance", .operators) { try await $0.attendance($1) },
        APIRoute(.get, "/v1/occupancy", .operators) { try await $0.occupancy($1) },
        APIRoute(.get, "/v1/subjects/{id}/location", .subject) { try await $0.location($1) },
        APIRoute(.get, "/v1/floors", .operators) { try await $0.floors($1) },
        APIRoute(.get, LiveAccess.floor, .operators) { try await $0.floor($1) },
        APIRoute(.get, LiveAccess.floor + "/plan.svg", .operators) { try await $0.picture($1) },
        APIRoute(.get, LiveAccess.floor + "/live", .operators) { try await $0.live($1) },
    ]

    /// Returns the route that takes a method on a path, both as in the table.
    static func at(_ path: String, method: HTTPRequest.Method) -> APIRoute? {
        table.first { $0.path == path && $0.method == method }
    }

    /// Returns the route whose path matches that of a request, whatever its method.
    static func matching(_ path: String) -> APIRoute? {
        let levels = path.split(separator: "/")
        return table.first {
            let expected = RouterPath($0.path)
            return expected.count == levels.count && zip(expected, levels).allSatisfy { $0 ~= $1 }
        }
    }
}
