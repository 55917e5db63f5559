import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SystemIO

/// Another program that is told of exposures.
struct WebhookReceiver: HTTPResponder {
    typealias Context = BasicRequestContext

    struct Call: Equatable, Sendable {
        var signature: String
        var body: [UInt8]
    }

    let calls = LockedValue<[Call]>([])
    /// With what the next calls are answered; then with 204.
    let answers = LockedValue<[HTTPResponse.Status]>([])

    /// Where redirections point to.
    let location = LockedValue<String?>(nil)

    func respond(to request: Request, context: Context) async throws -> Response {
        let buffer = try await request.body.collect(upTo: 65_536)
        let signature = HTTPField.Name("Beacon-Signature").flatMap { request.headers[$0] } ?? ""
        calls.withLock { $0.append(Call(signature: signature, body: Array(buffer.readableBytesView))) }
        let status = answers.withLock { $0.isEmpty ? .noContent : $0.removeFirst() }
        var headers = HTTPFields()
        if status.kind == .redirection { headers[.location] = location.withLock { $0 } }
        return Response(status: status, headers: headers)
    }

    /// Runs `body` with the receiver's address.
    func with(isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Void) async throws {
        var logger = Logger(label: "webhook") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let (ports, found) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: self, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { found.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(services: [application], logger: logger)
        let running = Task { try await group.run() }
        var iterator = ports.makeAsyncIterator()
        let port = await iterator.next() ?? 0
        let result: Result<Void, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(port)/notices"))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        try result.get()
    }
}
