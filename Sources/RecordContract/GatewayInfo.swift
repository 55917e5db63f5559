import BeaconModel

/// The birth certificate on the `info` topic: what this gateway is.
package struct GatewayInfo: Encodable, Equatable, Sendable {
    package var version: String
    package var boot: UInt64
    /// When this run of the gateway began, RFC 3339.
    package var startedAt: String
    package var adapters: [Adapter]
    package var modules: [Module]
    /// Ports whose module has no row of the inventory, or doesn't say who it is.
    package var otherPorts: [Port] = []
    /// Left out while no other client took this gateway's session.
    package var sessionTakenOver: SessionTakenOver?
    /// Versions of the contract that the messages follow, by name of the schema.
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
        /// Since the start.
        package var times: Int
        /// RFC 3339.
        package var lastAt: String
        /// Whether the broker said so.
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
        /// `absent`, `provisioning`, `advertising`, `unverified`, `not-heard` or `failed`.
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

    /// As published.
    package var encoded: [UInt8] { JSON.encode(self) }
}
