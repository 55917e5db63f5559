import BeaconModel
import CommandSupport
import Hummingbird
import HummingbirdCore
import Logging
import MatcherCore
import NIOCore
import ServiceLifecycle
import SystemIO

/// HTTP server of the API.
struct APIServer: NamedService {
    var settings: APISettings
    var service: Reloadable<APIService>
    /// Parts of the page; `nil` if there is none.
    var page: PageService.PageParts? = nil
    var activation: Activation
    var logger: Logger
    /// Maximum time to receive the body of a request.
    var bodyPatience: Duration = .seconds(20)
    var headerPatience = HeaderPatience()
    /// Maximum number of open connections. Each costs a file descriptor, and a thread while it waits for the store.
    var mostConnections = APIServer.usualConnections
    /// Called once, with the port that the system assigned; with 0 for a Unix socket.
    var listening: @Sendable (Int) -> Void = { _ in }

    static let usualConnections = 512
    /// Connections accepted beyond the maximum. Each takes the place of another or is closed at once.
    private static let mostArriving = 64
    /// Maximum number of open connections per client: a building's phones may share one address.
    static let mostOfOneClient = 128
    /// Time after which an idle connection is closed.
    private static let patience: TimeAmount = .seconds(60)

    func run() async throws {
        guard await activation.begun() else { return }
        if case .socket(let path) = settings.address, let obstacle = UnixSocketFile.obstacle(at: path) {
            throw ListenError(settings: settings, reason: obstacle)
        }
        var quiet = logger
        // At lower levels the server logs each connection that breaks.
        quiet.logLevel = max(logger.logLevel, .warning)
        let router = APIRouter.router(
            service: service, isBehindProxy: settings.isBehindProxy,
            budgets: LockedValue(RequestBudgets(perMinute: settings.requestsPerMinute)), patience: bodyPatience,
            log: AccessLog(logger: logger), page: page)
        // Behind a proxy, all connections are the proxy's, which must limit its own clients. Those of a Unix socket cannot
        // be told apart.
        let connections = OpenConnections(
            limits: ConnectionLimits(
                mostOfOne: settings.isBehindProxy || settings.address.isSocket ? .max : Self.mostOfOneClient,
                mostOfAll: mostConnections))
        let application = Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGuard(connections: connections, patience: headerPatience)],
                    idleTimeout: Self.patience,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: settings.address.bound, serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(mostConnections + Self.mostArriving)),
            onServerRunning: { [logger, settings, listening] channel in
                switch settings.address {
                case .host(let host, let configured):
                    let port = channel.localAddress?.port ?? configured
                    logger.notice("API listening", metadata: ["address": "\(host)", "port": "\(port)"])
                    listening(port)
                case .socket(let path):
                    if !UnixSocketFile.open(path) {
                        logger.warning("permissions of the API's socket not set", metadata: ["path": "\(path)"])
                    }
                    logger.notice("API listening", metadata: ["address": "\(settings.address.text)"])
                    listening(0)
                }
            },
            logger: quiet)
        do {
            // The server waits for requests in progress, and an event stream does not end by itself.
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: { [notices = service.current.notices, live = service.current.live] in
                notices.endStreams()
                live.streams.close()
            }
        } catch let error as IOError {
            throw ListenError(settings: settings, reason: SystemError.text(error.errnoCode))
        }
    }
}

extension ListenAddress {
    fileprivate var bound: BindAddress {
        switch self {
        case .host(let host, let port): .hostname(host, port: port)
        case .socket(let path): .unixDomainSocket(path: path)
        }
    }
}
