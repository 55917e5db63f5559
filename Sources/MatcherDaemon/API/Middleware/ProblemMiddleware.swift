import Hummingbird
import Logging
import MatcherCore

/// Middleware that turns every error into the answer to the client.
struct ProblemMiddleware: RouterMiddleware {
    /// Whether a body was read before. The connection is closed after a request whose body was not.
    var isBodyRead: Bool

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = problem(error, context.logger)
            let response = problem.response(from: request, context: context)
            let isUnread = !isBodyRead && request.hasBody
            return isUnread || problem.endsConnection ? response.endingConnection : response
        }
    }

    private func problem(_ error: any Error, _ logger: Logger) -> APIError {
        if let problem = error as? APIError { return problem }
        logger.error("request failed", metadata: ["because": "\(error)"])
        return .unavailable
    }
}
