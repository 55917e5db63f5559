import HTTPServing
import HTTPTypes
import Hummingbird
import MatcherCore
import NIOCore
import Pages
import SystemIO

/// Middleware that reads a request's body into its context, within the route's limit, and charges the client for it.
struct BodyMiddleware: RouterMiddleware {
    /// Request budgets by client address.
    var budgets: LockedValue<RequestBudgets>
    /// Maximum time to receive a body. A client that sends a byte now and then keeps a connection from others.
    var patience: Duration

    /// Pictures of test results that are being received or read.
    var pictures = LockedValue(PictureRoom())

    /// Body bytes that cost as much as one more request.
    static let bytesPerRequest = 16_384
    /// Maximum number of requests that a picture of a test result costs. Whoever sends one goes on to the next step at
    /// once.
    static let mostOfPicture = 100
    /// Number of times that a picture may take as long as another body: a phone sends slowly.
    private static let pictureSlowness = 3

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard context.pageRoute == .selfReportPicture else { return try await read(request, context, next: next) }
        let client = context.client
        guard pictures.withLock({ $0.take(client) }) else { throw APIError.tooMany(retryAfter: Self.pause) }
        defer { pictures.withLock { $0.giveBack(client) } }
        return try await read(request, context, next: next)
    }

    private func read(
        _ request: Request, _ context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let largest = context.route?.largestBody ?? context.pageRoute?.definition.largestBody ?? 0
        if largest > 0 {
            context.body = try await body(
                of: request, upTo: largest, route: context.pageRoute, from: context.client)
        } else if request.hasBody {
            throw APIError.takesNoBody
        }
        return try await next(request, context)
    }

    /// Seconds until a client that came in vain should send its picture again.
    private static let pause: Int64 = 30

    private static let json = "application/json"

    /// Returns the content type that a route takes.
    private static func type(of route: PageRoute?) -> String {
        switch route?.definition.body {
        case nil: json
        case .form?, .table?: "application/x-www-form-urlencoded"
        case .files?: "multipart/form-data"
        }
    }

    private func body(
        of request: Request, upTo largest: Int, route: PageRoute?, from client: String
    ) async throws -> [UInt8] {
        let expected = Self.type(of: route)
        let isPicture = route == .selfReportPicture
        // A body of unstated length is charged as the largest that is allowed.
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? largest
        guard length <= largest else { throw APIError.tooLarge }
        // Charged before the body is read: a body that never ends takes memory too.
        let cost = min(length / Self.bytesPerRequest, isPicture ? Self.mostOfPicture : .max)
        if cost > 0 { try budgets.charge(client, cost) }
        let patience = isPicture ? patience * Self.pictureSlowness : patience
        let buffer = try await collect(request.body, upTo: largest, patience: patience)
        if buffer.readableBytes > 0 {
            let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
            guard type == expected else {
                throw expected == Self.json ? APIError.notJSON : APIError.notForm
            }
        }
        return Array(buffer.readableBytesView)
    }

    private func collect(_ body: RequestBody, upTo largest: Int, patience: Duration) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            group.addTask {
                do {
                    return try await body.collect(upTo: largest)
                } catch {
                    throw APIError.tooLarge
                }
            }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let buffer = try await group.next() ?? nil else { throw APIError.tooSlow }
            return buffer
        }
    }
}
