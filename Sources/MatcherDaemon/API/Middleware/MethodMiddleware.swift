import Hummingbird
import MatcherCore
import Pages

/// Middleware that refuses what is not there, and methods that a path does not take.
///
/// The router itself answers 404 to both, and does not know which method the path takes.
struct MethodMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        if let route = context.pageRoute?.definition {
            guard route.method == request.method else { throw APIError.wrongMethod(route.method.rawValue) }
            return try await next(request, context)
        }
        guard let route = context.route else { throw APIError.notFound }
        guard route.method == request.method else { throw APIError.wrongMethod(route.method.rawValue) }
        // The answer does not reveal which subjects exist.
        guard route.access != .subject || context.subject != nil else { throw APIError.unauthorized }
        return try await next(request, context)
    }
}
