import ArgumentParser
import BeaconModel
import CommandSupport
import GatewayCore
import GatewayDaemon
import OperatorText
import Publishing
import SystemIO

/// Options that select the broker and the credentials.
struct BrokerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use the broker of this gateway's configuration.", valueName: "file"))
    var config: String?

    @Option(help: "The broker's host name or address (default: localhost).")
    var host: String?

    @Option(help: "The broker's port (default: 1883, with --ca-file 8883).", transform: OptionValue.port)
    var port: UInt16?

    @Option(help: "User name at the broker.")
    var username: String?

    @Option(help: ArgumentHelp("File whose first line is the password.", valueName: "file"))
    var passwordFile: String?

    @Option(
        help: ArgumentHelp("Use TLS, and trust certificates of this authority (PEM).", valueName: "file"))
    var caFile: String?

    func validate() throws {
        for (name, isGiven) in [("--host", host != nil), ("--port", port != nil), ("--ca-file", caFile != nil)]
        where isGiven && config != nil {
            throw ValidationError("\(name) and --config both specify the broker: omit one of them.")
        }
        if passwordFile != nil, username == nil { throw ValidationError("--password-file requires --username.") }
        if host?.isEmpty == true { throw ValidationError("--host must be a host name or address.") }
    }

    /// Reads the broker's configuration and the topic prefix.
    ///
    /// - Returns: the broker, with a client identifier of its own, because a second session with a gateway's identifier
    ///   would end the gateway's session; and the topic prefix.
    func read() throws -> (broker: BrokerConfiguration, prefix: String) {
        var prefix = "beacons"
        var broker = BrokerConfiguration(
            host: host ?? "localhost", port: port ?? (caFile == nil ? 1883 : 8883), clientID: "")
        if let config {
            // With --username, the configured user's password is not needed.
            let secrets = ConfigurationFile.secrets(
                for: username == nil ? [.brokerTLS, .brokerPassword] : [.brokerTLS])
            let configuration = try ConfigurationInUse.load(config, secrets: secrets).configuration
            broker = configuration.broker
            prefix = configuration.topicPrefix
        }
        if let caFile {
            // An unreadable file would look like a broker that cannot be trusted.
            _ = try FileContents.read(caFile, limit: 1024 * 1024)
            broker.tls = TLSConfiguration()
            broker.tls?.authority = .file(caFile)
        }
        if let username {
            broker.username = username
            broker.password = try passwordFile.map {
                String(
                    String(decoding: try FileContents.read($0, limit: 65_536), as: UTF8.self).prefix { !$0.isNewline })
            }
        }
        if broker.password != nil, broker.tls == nil,
            let host = broker.endpoints.first(where: { !ConfigurationWarning.isLoopback($0.host) })
        {
            Terminal.note(
                "warning: the password is sent to \(host) unencrypted; specify --ca-file, or a configuration with "
                    + "[mqtt.tls]"
            )
        }
        broker.clientID = Self.clientID(user: username, purpose: "tail")
        return (broker, prefix)
    }

    /// Returns a client identifier.
    ///
    /// - Parameter user: the user name at the broker.
    static func clientID(user: String?, purpose: String) -> String {
        // RabbitMQ allows each user these ten identifiers (deploy/rabbitmq/permissions.sh). Where identifiers are free,
        // ten would be too few.
        user.map { "\($0)_\(Int.random(in: 0...9))" }
            ?? "bg_\(purpose)_" + String(UInt32.random(in: .min ... .max), radix: 16)
    }
}
