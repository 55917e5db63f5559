import HTTPTypes
import Hummingbird
import MatcherCore

/// Middleware that refuses a request that does not name exactly one host. The server does not check the field.
struct HostMiddleware: RouterMiddleware {
    /// Host fields after the first, which became the authority.
    private static let host = HTTPField.Name("Host") ?? .connection

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // The first host is the request's authority; a second one would be ambiguous.
        guard let host = request.head.authority, HostField.isValid(host), request.headers[Self.host] == nil else {
            throw APIError.noHost
        }
        return try await next(request, context)
    }
}
