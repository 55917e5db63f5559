import HTTPServing
import HTTPTypes
import Hummingbird

/// Middleware that closes the connection after a request for another protocol.
///
/// The server does not switch protocols and ignores the upgrade, but llhttp reads no further request after it.
struct UpgradeMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .connect || request.headers[.upgrade] != nil ? response.endingConnection : response
    }
}
