import CommandSupport
import Hummingbird
import MatcherCore
import OperatorText
import Pages

/// Middleware that logs requests on routes that are not public.
struct AccessLogMiddleware: RouterMiddleware {
    var log: AccessLog
    var service: Reloadable<APIService>

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        // Wrong codes are logged, as those of apps are.
        let isRefusedCode = context.pageRoute == .sendSelfReport && response.status == .forbidden
        if let route = context.pageRoute?.definition, route.access != .anybody || isRefusedCode {
            log.note(
                .init(
                    method: request.method, route: route.path, who: context.visitor.shown,
                    status: response.status.code, client: context.client))
        }
        guard let route = context.route, route.access != .anybody else { return response }
        let service = service.current
        log.note(
            .init(
                method: request.method, route: route.path,
                who: route.access == .operators ? service.operatorName(of: request.bearerToken) : nil,
                subjects: context.proven.all.map { service.secrets.shownInLog($0) },
                about: route.access == .operators
                    ? [context.parameters.floor, request.uri.query].compactMap { $0 }.joined(separator: "?")
                        .shownUnlessEmpty
                    : context.subject.map { service.secrets.shownInLog($0) },
                status: response.status.code, client: context.client))
        return response
    }
}

extension String {
    /// Returns the text made safe for display; `nil` if there is none.
    fileprivate var shownUnlessEmpty: String? { isEmpty ? nil : shown(upTo: 200) }
}
