import CommandSupport
import GatewayCore
import Glibc
import HTTPServing
import Logging
import RecordContract
import ServiceLifecycle
import SystemIO

/// Listens for commands on this machine: a Unix socket with HTTP and JSON, for `beacon-gateway status` and its like.
struct LocalService: Service, CustomStringConvertible {
    var path: String
    var desk: LocalDesk
    var logger: Logger

    var description: String { "LocalService" }

    private static let limits = ServerLimits(
        connections: 32, headerPatience: HeaderPatience(firstSeconds: 5, nextSeconds: 15),
        bodyPatience: .seconds(5), largestBody: LocalRequest.largestBody, answerPatience: .seconds(120), requests: 16)

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await desk.measure() }
            group.addTask { [path, desk, logger] in
                let access = LockedValue(SocketAccess(owner: geteuid(), group: getegid()))
                try await RetriedListener(
                    HTTPListener(
                        name: "local socket", address: .socket(path: path), setting: "local-socket",
                        limits: Self.limits, logger: logger,
                        listening: { _ in
                            // A directory can give its group to what is in it.
                            if let found = SocketAccess.of(path) { access.withLock { $0 = found } }
                        }
                    ) { request in
                        await Self.answer(request, access.withLock { $0 }, desk)
                    }
                ).run()
            }
            // Both end with the gateway.
            try await group.waitForAll()
        }
    }

    private static func answer(
        _ request: HTTPListener.Request, _ access: SocketAccess, _ desk: LocalDesk
    ) async -> HTTPListener.Response {
        do throws(LocalRefusal) {
            guard let peer = request.peer, access.admits(peer) else { throw .forbidden }
            let wanted = try LocalRequest(method: request.methodName, path: request.path, body: request.body)
            return HTTPListener.Response(
                code: 200, type: "application/json", body: try await desk.carryOut(wanted, for: peer.user))
        } catch {
            return HTTPListener.Response(
                code: error.status, type: "application/json", body: JSON.encode(error.answer))
        }
    }
}
