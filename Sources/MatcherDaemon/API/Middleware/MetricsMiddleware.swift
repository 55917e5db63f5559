import Exposition
import Hummingbird
import Metering
import Pages

/// Middleware that meters requests by their routes. A path without a route is `other`: paths that somebody made up are
/// no labels.
struct MetricsMiddleware: RouterMiddleware {
    var meters: Meters

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let route = context.route?.path ?? context.pageRoute?.definition.path ?? "other"
        meters.count(MatcherMetric.requests, route, "\(response.status.code / 100)xx")
        meters.time(MatcherMetric.answers, since: start, route)
        if let failure = SignInFailure(context.route?.access, context.pageRoute, status: response.status.code) {
            meters.count(MatcherMetric.signInFailures, failure.rawValue)
        }
        return response
    }
}
