import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import SystemIO

/// Responder of an `HTTPListener`: reads bodies, and applies the limits on requests.
struct ListenerResponder: HTTPResponder {
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
        }
    }

    var limits: ServerLimits
    var handler: @Sendable (HTTPListener.Request) async -> HTTPListener.Response
    /// Number of requests that are being answered.
    private let running = LockedValue(0)

    init(
        limits: ServerLimits, handler: @escaping @Sendable (HTTPListener.Request) async -> HTTPListener.Response
    ) {
        self.limits = limits
        self.handler = handler
    }

    func respond(to request: Request, context: Context) async throws -> Response {
        // The server does not switch protocols, and its parser reads no further request after such a one.
        let isLast = request.method == .connect || request.headers[.upgrade] != nil
        do throws(ListenerRefusal) {
            let body = try await body(of: request)
            let asked = HTTPListener.Request(
                method: request.method, path: request.uri.path, headers: request.headers, body: body,
                peer: await PeerCredentials.of(context.channel))
            // A body that is slow takes no place from others. Its size and time are bounded, as are connections.
            let answer = response(try await answerInTurn(to: asked))
            return isLast ? answer.endingConnection : answer
        } catch {
            return response(error.response).endingConnection
        }
    }

    private func body(of request: Request) async throws(ListenerRefusal) -> [UInt8] {
        guard request.hasBody else { return [] }
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        let most = limits.largestBody
        guard length <= most else { throw .tooLarge(most) }
        let body = request.body
        let collected: Result<[UInt8], ListenerRefusal>? = await withTimeout(limits.bodyPatience) {
            // The end of the server does not wait for a client that is slow.
            await cancelWhenGracefulShutdown {
                do {
                    let buffer = try await body.collect(upTo: most)
                    return .success(Array(buffer.readableBytesView))
                } catch is CancellationError {
                    return .failure(.tooSlow)
                } catch {
                    return .failure(.tooLarge(most))
                }
            }
        }
        guard let collected else { throw .tooSlow }
        return try collected.get()
    }

    private func answerInTurn(
        to request: HTTPListener.Request
    ) async throws(ListenerRefusal) -> HTTPListener.Response {
        let hasRoom = running.withLock { running in
            guard running < limits.requests else { return false }
            running += 1
            return true
        }
        guard hasRoom else { throw .tooMany }
        defer { running.withLock { $0 -= 1 } }
        return try await answer(to: request)
    }

    private func answer(to request: HTTPListener.Request) async throws(ListenerRefusal) -> HTTPListener.Response {
        guard let answer = await withTimeout(limits.answerPatience, { [handler] in await handler(request) }) else {
            throw .unanswered
        }
        return answer
    }

    private func response(_ response: HTTPListener.Response) -> Response {
        var headers = response.headers
        headers[.cacheControl] = headers[.cacheControl] ?? "no-store"
        return Response(
            status: response.status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
    }
}

/// Reason why a request does not reach the function of its listener, or has no answer in time.
enum ListenerRefusal: Error {
    case tooLarge(Int)
    case tooSlow
    case unanswered
    /// As many requests are being answered as may be.
    case tooMany

    var response: HTTPListener.Response {
        switch self {
        case .tooLarge(let most): .text(.contentTooLarge, "the body must have at most \(most) bytes")
        case .tooSlow: .text(.requestTimeout, "the body did not arrive in time")
        case .unanswered: .text(.gatewayTimeout, "no answer in time")
        case .tooMany: .text(.serviceUnavailable, "too many requests at once, try again")
        }
    }
}

/// Returns the result of an operation; `nil` if it takes too long. The operation is cancelled then, and must end.
private func withTimeout<Value: Sendable>(
    _ time: Duration, _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await Task.sleep(for: time)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
