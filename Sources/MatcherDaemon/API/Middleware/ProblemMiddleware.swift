import HTTPServing
import Hummingbird
import Logging
import MatcherCore
import Pages

/// Middleware that turns every error into the answer to the client.
struct ProblemMiddleware: RouterMiddleware {
    /// Whether a body was read before. The connection is closed after a request whose body was not.
    var isBodyRead: Bool
    /// Returns the entrance of the page; `nil` if there is none. Errors on its paths are pages.
    var gate: @Sendable () -> PageGate? = { nil }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let isUnread = !isBodyRead && request.hasBody
            if context.pageRoute != nil || context.route == nil && !request.uri.path.hasPrefix("/v1"), let gate = gate()
            {
                let error = pageError(error, of: context.pageRoute, context.logger)
                let response = await gate.page(of: error, request).response
                return isUnread || error.endsConnection ? response.endingConnection : response
            }
            let problem = problem(error, context.logger)
            let response = problem.response(from: request, context: context)
            return isUnread || problem.endsConnection ? response.endingConnection : response
        }
    }

    private func pageError(_ error: any Error, of route: PageRoute?, _ logger: Logger) -> PageError {
        if let error = error as? PageError { return error }
        guard let problem = error as? APIError else {
            logger.error("request failed", metadata: ["because": "\(error)"])
            return .unavailable
        }
        switch problem {
        case .notFound: return .notFound
        case .tooLarge: return route == .selfReportPicture ? .tooLargePicture : .tooLarge
        default: return PageError(problem)
        }
    }

    private func problem(_ error: any Error, _ logger: Logger) -> APIError {
        if let problem = error as? APIError { return problem }
        logger.error("request failed", metadata: ["because": "\(error)"])
        return .unavailable
    }
}
