import CommandSupport
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OperatorText
import SystemIO

/// Responder that limits requests by client in rate and size, and encodes answers. `APIService` provides their content.
struct APIResponder: HTTPResponder {
    var service: Reloadable<APIService>
    var isBehindProxy: Bool
    /// Request budgets by client address.
    var budgets: LockedValue<RequestBudgets>
    /// Maximum time to receive a body. A client that sends a byte now and then keeps a connection from others.
    var patience: Duration = .seconds(20)
    var log: AccessLog

    /// Body bytes that cost as much as one more request.
    static let bytesPerRequest = 16_384

    func respond(to request: Request, context: APIContext) async throws -> Response {
        let client = ClientAddress.of(request, connection: context.address, isBehindProxy: isBehindProxy)
        let proven = ProvenSubjects()
        var response = await ProvenSubjects.$current.withValue(proven) {
            await answered(request, from: client, context)
        }
        // The server does not switch protocols and ignores the upgrade, but llhttp reads no further request after it.
        if request.method == .connect || request.headers[.upgrade] != nil { response = Self.ending(response) }
        if let entry = APIRoute.entry(ofPath: request.uri.path), entry.access != .anybody {
            let service = service.current
            let subject = (try? APIRoute(request.method, path: request.uri.path))?.subject
            log.note(
                .init(
                    method: request.method, route: entry.path,
                    who: entry.access == .operators ? service.operatorName(of: Self.bearer(request)) : nil,
                    subjects: proven.all.map { service.secrets.shownInLog($0) },
                    about: entry.access == .operators
                        ? request.uri.query.map { $0.shown(upTo: 200) }
                        : subject.map { service.secrets.shownInLog($0) },
                    status: response.status.code, client: client))
        }
        return response
    }

    /// Host fields after the first, which became the authority.
    private static let host = HTTPField.Name("Host") ?? .connection

    private func answered(_ request: Request, from client: String, _ context: APIContext) async -> Response {
        // A body that is never read costs no budget, so the server does not wait for it either.
        var isUnread = Self.hasBody(request)
        do {
            // The first host is the request's authority; a second one would be ambiguous.
            guard let host = request.head.authority, HostField.isValid(host), request.headers[Self.host] == nil else {
                throw APIError.noHost
            }
            if let seconds = budgets.withLock({ $0.take("a \(client)", now: MonotonicSeconds.elapsed) }) {
                throw APIError.tooMany(retryAfter: seconds)
            }
            let route = try APIRoute(request.method, path: request.uri.path)
            let largest = APIRoute.entry(ofPath: request.uri.path)?.largestBody ?? 0
            guard largest > 0 || !isUnread else { throw APIError.takesNoBody }
            let body = largest > 0 ? try await body(of: request, upTo: largest, from: client) : []
            isUnread = false
            let answer = try await service.current.answer(
                route, query: try Self.query(request), body: body, secret: Self.bearer(request),
                tag: request.headers[.ifNoneMatch], client: client)
            return response(answer)
        } catch let error as APIError {
            return Self.response(error, to: request.method, endsConnection: isUnread || error.endsConnection)
        } catch {
            context.logger.error("request failed", metadata: ["because": "\(error)"])
            return Self.response(.unavailable, to: request.method, endsConnection: isUnread)
        }
    }

    /// Returns whether a body follows the header (RFC 9112, section 6.3).
    private static func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil || request.headers[.contentLength].map { Int($0) != 0 } ?? false
    }

    private func body(of request: Request, upTo largest: Int, from client: String) async throws -> [UInt8] {
        // A body of unstated length is charged as the largest that is allowed.
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? largest
        guard length <= largest else { throw APIError.tooLarge }
        // Charged before the body is read: a body that never ends takes memory too.
        let size = length / Self.bytesPerRequest
        if size > 0,
            let seconds = budgets.withLock({ $0.take("a \(client)", cost: size, now: MonotonicSeconds.elapsed) })
        {
            throw APIError.tooMany(retryAfter: seconds)
        }
        let buffer = try await collect(request.body, upTo: largest)
        if buffer.readableBytes > 0 {
            let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
            guard type == "application/json" else { throw APIError.notJSON }
        }
        return Array(buffer.readableBytesView)
    }

    private func collect(_ body: RequestBody, upTo largest: Int) async throws -> ByteBuffer {
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

    /// Returns the bearer token of a request (RFC 6750, section 2.1).
    private static func bearer(_ request: Request) -> String? {
        guard let field = request.headers[.authorization] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private static func query(_ request: Request) throws(APIError) -> [String: String] {
        var query: [String: String] = [:]
        for (key, value) in request.uri.queryParameters {
            guard query.updateValue(String(value), forKey: String(key)) == nil else {
                throw .invalid(String(key).excerpt, "comes twice", "each key at most once")
            }
        }
        return query
    }

    private func response(_ answer: APIAnswer) -> Response {
        var headers = Self.headers(cache: "no-store")
        switch answer {
        case .json(let status, let bytes):
            headers[.contentType] = "application/json"
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .page(let page):
            headers[.cacheControl] = "public, max-age=\(page.maxAge)"
            headers[.eTag] = page.tag
            headers[.contentType] = "application/jwt"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: page.body)))
        case .notModified(let page):
            headers[.cacheControl] = "public, max-age=\(page.maxAge)"
            headers[.eTag] = page.tag
            return Response(status: .notModified, headers: headers)
        case .empty: return Response(status: .noContent, headers: headers)
        case .events(let events):
            headers[.contentType] = "text/event-stream"
            return Response(
                status: .ok, headers: headers,
                body: .init { writer in
                    for await event in events { try await writer.write(ByteBuffer(string: event)) }
                    try await writer.finish(nil)
                })
        }
    }

    /// Returns the answer to a failed request. An answer to HEAD has the same header and no body (RFC 9110, section
    /// 9.3.2): clients would take a body for the beginning of the next answer.
    private static func response(
        _ error: APIError, to method: HTTPRequest.Method, endsConnection: Bool
    ) -> Response {
        var headers = headers(cache: "no-store")
        headers[.contentType] = "application/problem+json"
        if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if error.status == .methodNotAllowed, let allowed = error.allowed { headers[.allow] = allowed }
        let whole = Response(
            status: error.status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: error.document)))
        let response = method == .head ? whole.createHeadResponse() : whole
        return endsConnection ? ending(response) : response
    }

    /// Returns an answer after which the connection is closed. Otherwise the server would read on as long as the client
    /// sends.
    private static func ending(_ response: Response) -> Response {
        let body = response.body
        var ending = Response(
            status: response.status, headers: response.headers,
            body: .init { writer in
                try await body.write(writer)
                throw ConnectionEnded()
            })
        ending.headers[.connection] = "close"
        return ending
    }

    private struct ConnectionEnded: Error {}

    private static func headers(cache: String) -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: cache]
        if let name = HTTPField.Name("X-Content-Type-Options") { headers[name] = "nosniff" }
        return headers
    }
}
