import CommandSupport
import Hummingbird
import MatcherCore
import SystemIO

/// Router of the API, with what each request goes through.
enum APIRouter {
    /// Returns the router of a server.
    ///
    /// - Parameters:
    ///   - budgets: request budgets by client address.
    ///   - patience: maximum time to receive a body.
    static func router(
        service: Reloadable<APIService>, isBehindProxy: Bool, budgets: LockedValue<RequestBudgets>, patience: Duration,
        log: AccessLog
    ) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        router.add(middleware: RouteMiddleware(isBehindProxy: isBehindProxy))
        router.add(middleware: AccessLogMiddleware(log: log, service: service))
        router.add(middleware: UpgradeMiddleware())
        // A body that is never read costs no budget, so the server does not wait for it either.
        router.add(middleware: ProblemMiddleware(isBodyRead: false))
        router.add(middleware: HostMiddleware())
        router.add(middleware: BudgetMiddleware(budgets: budgets))
        router.add(middleware: MethodMiddleware())
        router.add(middleware: BodyMiddleware(budgets: budgets, patience: patience))
        router.add(middleware: ProblemMiddleware(isBodyRead: true))
        add(APIRoute.table, to: router) { try await $0.answer(service.current, $1) }
        return router
    }

    /// Adds routes to a router.
    ///
    /// - Parameter answer: carries out what a route is for.
    static func add(
        _ routes: [APIRoute], to router: Router<APIContext>,
        answer: @escaping @Sendable (APIRoute, APIRequest) async throws -> APIAnswer
    ) {
        for route in routes {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await answer(route, APIRequest(request, context))
            }
        }
    }
}
