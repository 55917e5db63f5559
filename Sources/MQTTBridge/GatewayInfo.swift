import BeaconModel

/// The birth certificate on the `info` topic: what this gateway is.
public struct GatewayInfo: Encodable, Equatable, Sendable {
    public var version: String
    public var boot: UInt64
    /// When this run of the gateway began, RFC 3339.
    public var startedAt: String
    public var adapters: [Adapter]
    public var modules: [Module]
    /// Ports whose module has no row of the inventory, or doesn't say who it is.
    public var otherPorts: [Port] = []
    /// Left out while no other client took this gateway's session.
    public var sessionTakenOver: SessionTakenOver?
    /// Versions of the contract that the messages follow, by name of the schema.
    public var schemas = Dictionary(uniqueKeysWithValues: Contract.all.map { ($0.name, "\(Contract.version)") })

    public init(version: String, boot: UInt64, startedAt: String, adapters: [Adapter], modules: [Module]) {
        self.version = version
        self.boot = boot
        self.startedAt = startedAt
        self.adapters = adapters
        self.modules = modules
    }

    public struct Adapter: Encodable, Equatable, Sendable {
        public var name: String
        /// The scan commands in use, `legacy` or `extended`; or `off`.
        public var scan: String

        public init(name: String, scan: String) {
            self.name = name
            self.scan = scan
        }
    }

    public struct SessionTakenOver: Encodable, Equatable, Sendable {
        /// Since the start.
        public var times: Int
        /// RFC 3339.
        public var lastAt: String
        /// Whether the broker said so.
        public var certain: Bool

        public init(_ takeovers: SessionTakeovers) {
            times = takeovers.times
            lastAt = takeovers.lastAt.rfc3339
            certain = takeovers.isCertain
        }
    }

    public struct Port: Encodable, Equatable, Sendable {
        public var port: String
        public var address: String?
        public var error: String
        public var remedy: String?

        public init(port: String, address: String?, error: String, remedy: String?) {
            self.port = port
            self.address = address
            self.error = error
            self.remedy = remedy
        }
    }

    public struct Module: Encodable, Equatable, Sendable {
        public var name: String
        public var port: String
        public var beacon: String
        /// `absent`, `provisioning`, `advertising`, `unverified`, `not-heard` or `failed`.
        public var state: String
        public var firmware: String?
        public var error: String?

        public init(
            name: String, port: String, beacon: String, state: String, firmware: String? = nil,
            error: String? = nil
        ) {
            self.name = name
            self.port = port
            self.beacon = beacon
            self.state = state
            self.firmware = firmware
            self.error = error
        }
    }

    /// As published.
    public var encoded: [UInt8] { JSON.encode(self) }
}
