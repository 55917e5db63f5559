import BeaconModel

/// The birth certificate on the `info` topic: what this gateway is.
package struct GatewayInfo: Encodable, Equatable, Sendable {
    package var version: String
    package var boot: UInt64
    /// Start of this run of the gateway, RFC 3339.
    package var startedAt: String
    package var adapters: [Adapter]
    package var modules: [Module]
    /// Ports whose module has no row in the inventory, or does not identify itself.
    package var otherPorts: [Port] = []
    /// Takeovers of this gateway's session by another client; omitted if there were none.
    package var sessionTakenOver: SessionTakenOver?
    /// Versions of the contract that the messages follow, by schema name.
    package var schemas = Dictionary(uniqueKeysWithValues: Contract.all.map { ($0.name, "\(Contract.version)") })

    package init(version: String, boot: UInt64, startedAt: String, adapters: [Adapter], modules: [Module]) {
        self.version = version
        self.boot = boot
        self.startedAt = startedAt
        self.adapters = adapters
        self.modules = modules
    }

    package struct Adapter: Encodable, Equatable, Sendable {
        package var name: String
        /// The scan commands in use, `legacy` or `extended`; or `off`.
        package var scan: String

        package init(name: String, scan: String) {
            self.name = name
            self.scan = scan
        }
    }

    package struct SessionTakenOver: Encodable, Equatable, Sendable {
        /// Number of takeovers since the start.
        package var times: Int
        /// Time of the latest takeover, RFC 3339.
        package var lastAt: String
        /// Whether the broker reported the takeover.
        package var certain: Bool

        package init(_ takeovers: SessionTakeovers) {
            times = takeovers.times
            lastAt = takeovers.lastAt.rfc3339
            certain = takeovers.isCertain
        }
    }

    package struct Port: Encodable, Equatable, Sendable {
        package var port: String
        package var address: String?
        package var error: String
        package var remedy: String?

        package init(port: String, address: String?, error: String, remedy: String?) {
            self.port = port
            self.address = address
            self.error = error
            self.remedy = remedy
        }
    }

    package struct Module: Encodable, Equatable, Sendable {
        package var name: String
        package var port: String
        package var beacon: String
        /// State of the module: `absent`, `provisioning`, `advertising`, `unverified`, `not-heard` or `failed`.
        package var state: String
        package var firmware: String?
        package var error: String?

        package init(
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

    /// The payload as published.
    package var encoded: [UInt8] { JSON.encode(self) }
}
