/// How to reach the MQTT broker.
public struct BrokerConfiguration: Equatable, Sendable {
    public var host: String
    public var port: UInt16
    public var clientID: String
    public var username: String?
    public var password: String?
    /// Seconds between signs of life, 5 to 3600.
    public var keepAlive: Int

    public init(
        host: String, port: UInt16, clientID: String, username: String? = nil, password: String? = nil,
        keepAlive: Int = 30
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.username = username
        self.password = password
        self.keepAlive = keepAlive
    }
}

/// Without the password: logs of a debug level describe everything that runs.
extension BrokerConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "\(host):\(port) as \(clientID)" }
    public var debugDescription: String { description }
}
