import BeaconModel
import CommandSupport
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import SystemIO

/// The HTTP server.
struct APIServer: NamedService {
    var settings: APISettings
    var service: Reloadable<APIService>
    var duty: Duty
    var logger: Logger
    /// For the body of a request.
    var bodyPatience: Duration = .seconds(20)
    var headerPatience = HeaderPatience()
    /// At once: each costs a file descriptor, and a thread while it waits for the store.
    var mostConnections = 512
    /// Told once, with the port that the system gave.
    var listening: @Sendable (Int) -> Void = { _ in }

    /// Connections beyond, which take the place of others or are closed at once.
    private static let mostArriving = 64
    /// Of one client at once: a building's phones may have one address.
    static let mostOfOneClient = 128
    /// Who says nothing for so long is disconnected.
    private static let patience: TimeAmount = .seconds(60)

    func run() async throws {
        guard await duty.begun() else { return }
        var quiet = logger
        // Of each connection that breaks.
        quiet.logLevel = max(logger.logLevel, .warning)
        let responder = APIResponder(
            service: service, isBehindProxy: settings.isBehindProxy,
            budgets: LockedValue(RequestBudgets(perMinute: settings.requestsPerMinute)), patience: bodyPatience,
            log: AccessLog(logger: logger))
        // All connections are the proxy's, and who is behind it is its own to limit.
        let connections = OpenConnections(
            limits: ConnectionLimits(
                mostOfOne: settings.isBehindProxy ? .max : Self.mostOfOneClient, mostOfAll: mostConnections))
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGuard(connections: connections, patience: headerPatience)],
                    idleTimeout: Self.patience,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(settings.host, port: settings.port), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(mostConnections + Self.mostArriving)),
            onServerRunning: { [logger, settings, listening] channel in
                let port = channel.localAddress?.port ?? settings.port
                logger.notice("the API listens", metadata: ["address": "\(settings.host)", "port": "\(port)"])
                listening(port)
            },
            logger: quiet)
        do {
            // The server waits for requests that are being answered, and a stream has no end of its own.
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: { [board = service.current.notices] in
                board.endStreams()
            }
        } catch let error as IOError {
            throw ListenError(settings: settings, reason: SystemError.text(error.errnoCode))
        }
    }
}
