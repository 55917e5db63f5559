import HTTPTypes
import Hummingbird
import MatcherCore
import Matching
import OperatorText

/// What an operation of the API gets of a request.
struct APIRequest: Sendable {
    /// Query parameters, decoded.
    var query: [String: String]
    var body: [UInt8]
    /// Secret or token in the header `Authorization`.
    var secret: String?
    /// Header `If-None-Match`.
    var tag: String?
    /// The client's address.
    var client: String
    /// Day in the path, as it was written.
    var day: String?
    /// Floor in the path, `site/building/floor`.
    var floor: String?
    /// Whether the client wants JSON and no event stream.
    var wantsJSON: Bool
    /// Subjects whose secrets were right, for the log.
    var proven: ProvenSubjects
    /// Subject in the path; always there in a request for a route with `{id}`.
    private var subjectInPath: SubjectIdentity?

    /// - Throws: `APIError` if the query has a key twice.
    init(_ request: Request, _ context: APIContext) throws(APIError) {
        var query: [String: String] = [:]
        for (key, value) in request.uri.queryParameters {
            guard query.updateValue(String(value), forKey: String(key)) == nil else {
                throw .invalid(String(key).excerpt, "is repeated", "specify each key at most once")
            }
        }
        self.query = query
        body = context.body
        secret = request.bearerToken
        tag = request.headers[.ifNoneMatch]
        client = context.client
        subjectInPath = context.subject
        day = context.parameters.get("day")
        proven = context.proven
        floor = context.parameters.floor
        let accepted = request.headers[.accept] ?? ""
        wantsJSON = accepted.contains("application/json") && !accepted.contains("text/event-stream")
    }

    /// The subject in the path.
    ///
    /// The answer to what is none does not reveal which subjects exist.
    func subject() throws(APIError) -> SubjectIdentity {
        guard let subjectInPath else { throw .unauthorized }
        return subjectInPath
    }
}

extension Parameters {
    /// Floor in the path, `site/building/floor`; `nil` if the route has none.
    var floor: String? {
        let levels = ["site", "building", "floor"].compactMap { get($0) }
        return levels.count == 3 ? levels.joined(separator: "/") : nil
    }
}

extension Request {
    /// Bearer token (RFC 6750, section 2.1).
    var bearerToken: String? {
        guard let field = headers[.authorization] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
