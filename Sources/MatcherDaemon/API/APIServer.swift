import CommandSupport
import HTTPServing
import Hummingbird
import Logging
import MatcherCore
import Metering
import ServiceLifecycle
import SystemIO

/// HTTP server of the API.
struct APIServer: NamedService {
    var settings: APISettings
    var service: Reloadable<APIService>
    /// Parts of the page; `nil` if there is none.
    var page: PageService.PageParts? = nil
    var activation: Activation
    var meters = Meters.none
    var logger: Logger
    /// Maximum time to receive the body of a request.
    var bodyPatience: Duration = .seconds(20)
    var headerPatience = HeaderPatience()
    /// Maximum number of open connections. Each costs a file descriptor, and a thread while it waits for the store.
    var mostConnections = APIServer.usualConnections
    /// Called once, with the port that the system assigned; with 0 for a Unix socket.
    var listening: @Sendable (Int) -> Void = { _ in }

    static let usualConnections = 512
    /// Maximum number of open connections per client: a building's phones may share one address.
    static let mostOfOneClient = 128

    func run() async throws {
        guard await activation.begun() else { return }
        let router = APIRouter.router(
            service: service, isBehindProxy: settings.isBehindProxy,
            budgets: LockedValue(RequestBudgets(perMinute: settings.requestsPerMinute)), patience: bodyPatience,
            log: AccessLog(logger: logger), page: page, meters: meters)
        let server = BoundedServer(
            name: "API", address: settings.address, setting: "api.listen",
            limits: ServerLimits(
                connections: mostConnections,
                // Behind a proxy, all connections are the proxy's, which must limit its own clients.
                connectionsOfOne: settings.isBehindProxy ? .max : Self.mostOfOneClient,
                headerPatience: headerPatience),
            responder: router.buildResponder(), logger: logger, listening: listening)
        // The server waits for requests in progress, and an event stream does not end by itself.
        try await withGracefulShutdownHandler {
            try await server.run()
        } onGracefulShutdown: { [notices = service.current.notices, live = service.current.live] in
            notices.endStreams()
            live.streams.close()
        }
    }
}
