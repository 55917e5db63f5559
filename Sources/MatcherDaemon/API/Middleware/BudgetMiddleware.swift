import Hummingbird
import MatcherCore
import SystemIO

/// Middleware that charges each request to its client.
struct BudgetMiddleware: RouterMiddleware {
    /// Request budgets by client address.
    var budgets: LockedValue<RequestBudgets>

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try budgets.charge(context.client)
        return try await next(request, context)
    }
}

extension LockedValue where Value == RequestBudgets {
    /// Charges requests to a client address.
    ///
    /// - Throws: `APIError.tooMany` if the client has made too many.
    func charge(_ client: String, _ cost: Int = 1) throws(APIError) {
        if let seconds = withLock({ $0.take("a \(client)", cost: cost, now: MonotonicSeconds.elapsed) }) {
            throw .tooMany(retryAfter: seconds)
        }
    }
}
