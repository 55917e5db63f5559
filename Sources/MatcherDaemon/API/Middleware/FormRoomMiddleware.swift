import HTTPTypes
import Hummingbird
import MatcherCore
import Pages
import SystemIO

/// Middleware that limits how much of large forms is in memory, before their bodies are read. Forms that anybody may
/// send are small, or have limits of their own.
struct FormRoomMiddleware: RouterMiddleware {
    var room = LockedValue(FormRoom())
    /// Returns the entrance of the page; `nil` if there is none.
    var gate: @Sendable () -> PageGate?

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let route = context.pageRoute?.definition, route.access != .anybody, let gate = gate() else {
            return try await next(request, context)
        }
        // A body of unstated length counts as the largest that is allowed; one that is larger is refused unread.
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? route.largestBody
        guard length > FormRoom.free, length <= route.largestBody else { return try await next(request, context) }
        let isAllowed = await gate.allows(request, route.access)
        guard room.withLock({ $0.take(length, isAllowed: isAllowed) }) else { throw APIError.busy }
        // The request is answered from the body, so it is in memory until then.
        defer { room.withLock { $0.giveBack(length, isAllowed: isAllowed) } }
        return try await next(request, context)
    }
}
