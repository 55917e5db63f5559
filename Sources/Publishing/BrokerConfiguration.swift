/// Configuration of the connection to the MQTT broker.
package struct BrokerConfiguration: Equatable, Sendable {
    /// Brokers in order of preference; at least one.
    package var endpoints: [BrokerEndpoint]
    package var clientID: String
    package var username: String?
    package var password: String?
    /// Interval of keep-alive messages in seconds, 5 to 3600.
    package var keepAlive: Int
    /// Maximum time from the first TCP packet to the broker's CONNACK.
    package var connectTimeout: Duration = .seconds(15)
    /// Maximum time for which the broker may leave received messages unanswered before the connection is given up.
    package var acknowledgeTimeout: Duration = .seconds(60)
    /// Maximum number of messages that wait for their acknowledgement, 1 to 1000. A broker that speaks MQTT 5 may ask
    /// for fewer.
    package var inFlight: Int = 100
    package var version: VersionChoice = .automatic
    /// Time for which a broker that speaks MQTT 5 keeps the session of a disconnected gateway, in whole seconds.
    /// Commands wait in the session.
    package var sessionExpiry: Duration = .seconds(300)
    /// Time for which a broker that speaks MQTT 5 keeps a retained presence that is not renewed, in whole seconds.
    package var presenceExpiry: Duration = .seconds(3600)
    package var tls: TLSConfiguration?

    package enum VersionChoice: String, CaseIterable, Sendable {
        /// MQTT 5 if the broker speaks it, otherwise 3.1.1.
        case automatic = "auto"
        case five = "5"
        case threeOneOne = "3.1.1"
    }

    package init(
        endpoints: [BrokerEndpoint], clientID: String, username: String? = nil, password: String? = nil,
        keepAlive: Int = 30
    ) {
        self.endpoints = endpoints
        self.clientID = clientID
        self.username = username
        self.password = password
        self.keepAlive = keepAlive
    }

    /// The broker that is tried first.
    package var preferred: BrokerEndpoint { endpoints.first ?? BrokerEndpoint(host: "localhost", port: 1883) }

    package init(
        host: String, port: UInt16, clientID: String, username: String? = nil, password: String? = nil,
        keepAlive: Int = 30
    ) {
        self.init(
            endpoints: [BrokerEndpoint(host: host, port: port)], clientID: clientID, username: username,
            password: password, keepAlive: keepAlive)
    }
}

/// The address of a broker.
package struct BrokerEndpoint: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Encryption of a connection, and the credentials with which client and broker authenticate each other.
package struct TLSConfiguration: Equatable, Sendable {
    /// The certificate authority that must have issued the broker's certificate.
    package var authority: Authority = .system
    /// The client's certificate. This and `key` are paths of PEM files, which are read for every connection.
    package var certificate: String?
    package var key: String?
    /// A pre-shared key, used instead of certificates.
    package var preSharedKey: PreSharedKey?
    /// Whether the broker must present a valid certificate for its name. Without this, anyone can impersonate the
    /// broker.
    package var verifiesServer = true

    package enum Authority: Equatable, Sendable {
        /// The certificate store of the operating system.
        case system
        /// The path of a PEM file.
        case file(String)
    }

    package struct PreSharedKey: Equatable, Sendable {
        package var identity: String
        /// The key in hexadecimal digits.
        package var key: String

        package init(identity: String, key: String) {
            self.identity = identity
            self.key = key
        }
    }

    package init() {}
}

/// A description without the password, because logs at debug level describe all values.
extension BrokerConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        endpoints.map(\.description).joined(separator: ", ") + " as \(clientID)" + (tls == nil ? "" : " with TLS")
    }
    package var debugDescription: String { description }
}

/// A description without the key.
extension TLSConfiguration.PreSharedKey: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "pre-shared key of \(identity)" }
    package var debugDescription: String { description }
}
