/// How to reach the MQTT broker.
package struct BrokerConfiguration: Equatable, Sendable {
    /// In the order of preference; at least one.
    package var endpoints: [BrokerEndpoint]
    package var clientID: String
    package var username: String?
    package var password: String?
    /// Seconds between signs of life, 5 to 3600.
    package var keepAlive: Int
    /// How long a broker may take from the first packet of TCP to its CONNACK.
    package var connectTimeout: Duration = .seconds(15)
    /// How long the broker may leave unanswered what it has received, before the connection is given up.
    package var acknowledgeTimeout: Duration = .seconds(60)
    /// Messages that wait for their acknowledgement at once, 1 to 1000. A broker of MQTT 5 may ask for fewer.
    package var inFlight: Int = 100
    package var version: VersionChoice = .automatic
    /// How long a broker of MQTT 5 keeps the session of a gateway that is away, in whole seconds: commands wait in it.
    package var sessionExpiry: Duration = .seconds(300)
    /// How long a broker of MQTT 5 keeps a retained presence that isn't renewed, in whole seconds.
    package var presenceExpiry: Duration = .seconds(3600)
    package var tls: TLSConfiguration?

    package enum VersionChoice: String, CaseIterable, Sendable {
        /// MQTT 5 where the broker speaks it, else 3.1.1.
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

/// Where a broker listens.
package struct BrokerEndpoint: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// How a connection is encrypted, and by what the two know each other.
package struct TLSConfiguration: Equatable, Sendable {
    /// Whom a broker's certificate has to come from.
    package var authority: Authority = .system
    /// What this client shows of itself: paths of PEM files, which are read at every connection.
    package var certificate: String?
    package var key: String?
    /// Instead of certificates.
    package var preSharedKey: PreSharedKey?
    /// Whether the broker has to show a valid certificate for its name. Without it anybody can be the broker.
    package var verifiesServer = true

    package enum Authority: Equatable, Sendable {
        /// The store of the operating system.
        case system
        /// The path of a PEM file.
        case file(String)
    }

    package struct PreSharedKey: Equatable, Sendable {
        package var identity: String
        /// In hexadecimal digits.
        package var key: String

        package init(identity: String, key: String) {
            self.identity = identity
            self.key = key
        }
    }

    package init() {}
}

/// Without the password: logs of a debug level describe everything that runs.
extension BrokerConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        endpoints.map(\.description).joined(separator: ", ") + " as \(clientID)" + (tls == nil ? "" : " with TLS")
    }
    package var debugDescription: String { description }
}

/// Without the key.
extension TLSConfiguration.PreSharedKey: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "pre-shared key of \(identity)" }
    package var debugDescription: String { description }
}
