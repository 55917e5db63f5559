import CommandSupport
import Hummingbird
import MatcherCore
import Metering
import Pages
import SystemIO

/// Router of the API, with what each request goes through.
enum APIRouter {
    /// Returns the router of a server.
    ///
    /// - Parameters:
    ///   - budgets: request budgets by client address.
    ///   - patience: maximum time to receive a body.
    ///   - page: parts of the page; `nil` if there is none.
    static func router(
        service: Reloadable<APIService>, isBehindProxy: Bool, budgets: LockedValue<RequestBudgets>, patience: Duration,
        log: AccessLog, page: PageService.PageParts? = nil, meters: Meters = .none
    ) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        let gate: @Sendable () -> PageGate? = {
            let api = service.current
            guard let page, let settings = api.configuration.page else { return nil }
            return PageGate(service: PageService(api: api, parts: page, settings: settings))
        }
        router.add(middleware: RouteMiddleware(isBehindProxy: isBehindProxy, hasPage: page != nil))
        router.add(middleware: MetricsMiddleware(meters: meters))
        router.add(middleware: AccessLogMiddleware(log: log, service: service))
        router.add(middleware: UpgradeMiddleware())
        // A body that is never read costs no budget, so the server does not wait for it either.
        router.add(middleware: ProblemMiddleware(isBodyRead: false, gate: gate))
        router.add(middleware: HostMiddleware())
        router.add(middleware: BudgetMiddleware(budgets: budgets))
        router.add(middleware: MethodMiddleware())
        router.add(middleware: FormRoomMiddleware(gate: gate))
        router.add(middleware: BodyMiddleware(budgets: budgets, patience: patience))
        router.add(middleware: ProblemMiddleware(isBodyRead: true, gate: gate))
        add(APIRoute.table, to: router) { try await $0.answer(service.current, $1) }
        if page != nil { addPage(to: router, gate: gate) }
        return router
    }

    /// Adds the routes of the page to a router.
    private static func addPage(to router: Router<APIContext>, gate: @escaping @Sendable () -> PageGate?) {
        for route in PageRoute.allCases {
            router.on(RouterPath(route.definition.path), method: route.definition.method) { request, context in
                guard let gate = gate() else { throw APIError.notFound }
                return try await gate.answer(route, request, context).response
            }
        }
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
