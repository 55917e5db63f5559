import BeaconModel
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
import SystemIO

/// HTTP server with limits on connections, headers and time, at a TCP address or a Unix socket.
///
/// A Unix socket that an earlier process left is replaced. The server removes its socket when it ends.
package struct BoundedServer<Responder: HTTPResponder>: Service, CustomStringConvertible
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// Name in the log, such as `API`.
    package var name: String
    package var address: ListenAddress
    /// Key of the configuration that has the address, for errors.
    package var setting: String
    /// Limits on connections, headers, bodies and time. The server itself applies those on connections and headers.
    package var limits: ServerLimits
    package var responder: Responder
    package var logger: Logger
    /// Called once, with the port that the system assigned; with 0 for a Unix socket.
    package var listening: @Sendable (Int) -> Void

    /// Connections accepted beyond the maximum. Each takes the place of another or is closed at once.
    private static var mostArriving: Int { 64 }
    /// Time after which an idle connection is closed.
    private static var patience: TimeAmount { .seconds(60) }

    package init(
        name: String, address: ListenAddress, setting: String, limits: ServerLimits, responder: Responder,
        logger: Logger, listening: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.name = name
        self.address = address
        self.setting = setting
        self.limits = limits
        self.responder = responder
        self.logger = logger
        self.listening = listening
    }

    package var description: String { "\(name) server" }

    /// - Throws: `ListenError`.
    package func run() async throws {
        if case .socket(let path) = address, let obstacle = UnixSocketFile.obstacle(at: path) {
            throw ListenError(address: address, setting: setting, reason: obstacle)
        }
        let bound = LockedValue<UnixSocketFile.Identity?>(nil)
        defer {
            if case .socket(let path) = address, let bound = bound.withLock({ $0 }) {
                UnixSocketFile.remove(path, if: bound)
            }
        }
        do {
            try await application(bound).run()
        } catch let error as IOError {
            throw ListenError(address: address, setting: setting, reason: SystemError.text(error.errnoCode))
        }
    }

    private func application(_ bound: LockedValue<UnixSocketFile.Identity?>) -> Application<Responder> {
        var quiet = logger
        // At lower levels the server logs each connection that breaks.
        quiet.logLevel = max(logger.logLevel, .warning)
        let connections = OpenConnections(
            limits: ConnectionLimits(
                mostOfOne: address.isSocket ? .max : limits.connectionsOfOne, mostOfAll: limits.connections))
        return Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionGuard(connections: connections, patience: limits.headerPatience)
                    ],
                    idleTimeout: Self.patience,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: address.bound, serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections + Self.mostArriving)),
            onServerRunning: { channel in began(channel, bound) },
            logger: quiet)
    }

    private func began(_ channel: any Channel, _ bound: LockedValue<UnixSocketFile.Identity?>) {
        switch address {
        case .host(let host, let configured):
            let port = channel.localAddress?.port ?? configured
            logger.notice("\(name) listening", metadata: ["address": "\(host)", "port": "\(port)"])
            listening(port)
        case .socket(let path):
            bound.withLock { $0 = UnixSocketFile.identity(of: path) }
            if !UnixSocketFile.open(path) {
                logger.warning("permissions of the \(name) socket not set", metadata: ["path": "\(path)"])
            }
            logger.notice("\(name) listening", metadata: ["address": "\(address.text)"])
            listening(0)
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
