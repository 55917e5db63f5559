import Hummingbird
import Matching

/// Middleware that notes a request's route, client and subject in its context.
struct RouteMiddleware: RouterMiddleware {
    var isBehindProxy: Bool

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = ClientAddress.of(request, connection: context.address, isBehindProxy: isBehindProxy)
        context.route = route(of: request, context)
        context.subject = context.parameters.get("id").flatMap(PercentText.decode).flatMap { SubjectIdentity($0) }
        return try await next(request, context)
    }

    /// Returns the route of a request's path.
    ///
    /// The router ignores empty levels, as in `//v1/keys/`: nothing is there for this API. It looks for path and method
    /// together, so a path with a method that it does not take is looked for here.
    private func route(of request: Request, _ context: APIContext) -> APIRoute? {
        let levels = request.uri.path.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.first == "", levels.dropFirst().allSatisfy({ !$0.isEmpty }) else { return nil }
        return context.endpointPath.flatMap { APIRoute.at($0, method: request.method) }
            ?? APIRoute.matching(request.uri.path)
    }
}
