import HTTPServing
import Hummingbird
import Matching
import OperatorText
import Pages

/// Middleware that notes a request's route, client and subject in its context.
struct RouteMiddleware: RouterMiddleware {
    var isBehindProxy: Bool
    /// Whether there is a page beside the API.
    var hasPage = false

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = ClientAddress.of(request, connection: context.address, isBehindProxy: isBehindProxy)
        context.route = route(of: request, context)
        if hasPage, context.route == nil { context.pageRoute = pageRoute(of: request, context) }
        context.subject = context.parameters.get("id").flatMap(PercentText.decode).flatMap { SubjectIdentity($0) }
        return try await next(request, context)
    }

    /// Returns the route of a request's path.
    ///
    /// The router ignores empty levels, as in `//v1/keys/`: nothing is there for this API. It looks for path and method
    /// together, so a path with a method that it does not take is looked for here.
    private func route(of request: Request, _ context: APIContext) -> APIRoute? {
        guard Self.hasOnlyFilledLevels(request.uri.path) else { return nil }
        return context.endpointPath.flatMap { APIRoute.at($0, method: request.method) }
            ?? APIRoute.matching(request.uri.path)
    }

    /// Returns the route of a page's path; as `route(of:_:)`.
    private func pageRoute(of request: Request, _ context: APIContext) -> PageRoute? {
        guard request.uri.path == "/" || Self.hasOnlyFilledLevels(request.uri.path) else { return nil }
        return context.endpointPath.flatMap { PageRoute.at($0, method: request.method) }
            ?? PageRoute.matching(request.uri.path)
    }

    private static func hasOnlyFilledLevels(_ path: String) -> Bool {
        let levels = path.split(separator: "/", omittingEmptySubsequences: false)
        return levels.first == "" && levels.dropFirst().allSatisfy { !$0.isEmpty }
    }
}
