import ArgumentParser
import CommandSupport
import GatewayCore
import GatewayDaemon

/// Options that select the local socket of a running gateway.
struct LocalSocketOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration of the running gateway (default: its socket is looked for in "
                + "\(LocalSocketSetting.runtimeDirectory) and \(Configuration.defaultStateDirectory)).",
            valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The local socket of the running gateway.", valueName: "path"))
    var socket: String?

    func validate() throws {
        if config != nil, socket != nil {
            throw ValidationError("--config and --socket both specify the gateway: omit one of them.")
        }
    }

    /// Returns a client that is connected to the running gateway.
    ///
    /// - Throws: `ConfigurationError`, `UnreadableConfiguration`, `LocalClientError`.
    func client() throws -> LocalClient {
        if let socket { return try LocalClient(paths: [socket], configuration: nil) }
        guard let config else {
            return try LocalClient(
                paths: LocalSocketSetting.automatic.paths(stateDirectory: Configuration.defaultStateDirectory),
                configuration: nil)
        }
        let anchor = try ConfigurationInUse.anchor(of: config)
        return try LocalClient(
            paths: anchor.localSocket.paths(stateDirectory: anchor.stateDirectory),
            configuration: config)
    }
}
