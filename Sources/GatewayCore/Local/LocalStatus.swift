import BeaconModel
package import OperatorText
package import RecordContract

/// The state of a running gateway, as its local socket tells it. The schema is local-status.schema.json.
package struct LocalStatus: Codable, Equatable, Sendable {
    /// Version of the document: a reader of 1 understands every 1.x.
    package static let version = "1.0"

    package var schema = Self.version
    /// Time of the document, RFC 3339.
    package var time: String
    package var gateway: Gateway
    package var version: String
    /// Commit of the build; `nil` where it is not known.
    package var commit: String?
    package var boot: UInt64
    package var process: Int32
    package var startedAt: String
    package var uptimeSeconds: Double
    /// Whether nothing is in `problems`.
    package var works: Bool
    /// What keeps the gateway from its work, and what needs somebody, the worst first.
    package var problems: [Problem]
    package var receiving: Part
    package var storing: Part
    package var delivering: Part
    package var modules: [Module]
    /// Ports without a module of the inventory.
    package var otherPorts: [OtherPort]
    /// Serial ports that the gateway holds open, by the kernel's names.
    package var openPorts: [String]
    package var adapters: [Adapter]
    package var broker: Broker
    package var outbox: Outbox
    package var clock: Clock
    package var log: Log
    /// Which configuration is in use; `nil` for a gateway that cannot be configured from afar.
    package var configuration: InUse?

    /// The configuration in use.
    package struct InUse: Codable, Equatable, Sendable {
        package var state: RolloutState.State
        /// The revision; `nil` for the gateway's own file.
        package var revision: String?
        package var digest: String
        package var since: String
        /// End of a trial.
        package var until: String?
        /// Why the gateway returned, and from which revision.
        package var reason: String?
        package var returnedFrom: String?

        package init(_ state: RolloutState) {
            self.state = state.state
            revision = state.revision?.description
            digest = state.digest.description
            since = state.since
            until = state.until
            reason = state.reason
            returnedFrom = state.returned?.revision.description
        }
    }

    package struct Gateway: Codable, Equatable, Sendable {
        package var site: String
        package var building: String
        package var floor: String
        package var gateway: String

        package var path: String { [site, building, floor, gateway].joined(separator: "/") }
    }

    /// One of the things that a gateway is for.
    package struct Part: Codable, Equatable, Sendable {
        /// `working`, `starting` or `failing`.
        package var state: String
        package var reason: String?
        package var remedy: String?
    }

    package struct Problem: Codable, Equatable, Sendable {
        /// What has the problem: `radio`, `module door`, `broker`, `outbox`.
        package var subject: String
        package var what: String
        package var remedy: String?
    }

    package struct Module: Codable, Equatable, Sendable {
        package var name: String
        package var kind: String
        /// Port that the module is plugged into, or the module's designation in the inventory.
        package var port: String
        package var state: String
        package var beacon: String
        package var measuredPower: Int8
        package var address: String?
        package var firmware: String?
        /// State of listening; left out for a module that is not configured to listen.
        package var listening: String?
        package var error: String?
        package var remedy: String?
    }

    package struct OtherPort: Codable, Equatable, Sendable {
        package var port: String
        package var address: String?
        package var error: String
        package var remedy: String?
    }

    package struct Adapter: Codable, Equatable, Sendable {
        /// Name in the configuration.
        package var name: String
        /// Present or last number, such as `hci0`.
        package var adapter: String?
        package var path: String?
        /// `starting`, `hearing`, `quiet` or `deaf`.
        package var state: String
        package var since: String?
        /// Mean over the last ten seconds; `nil` in the first seconds.
        package var reportsPerSecond: Double?
        package var error: String?
        package var remedy: String?
    }

    package struct Broker: Codable, Equatable, Sendable {
        package var connected: Bool
        /// The broker of the present connection; otherwise those of the configuration.
        package var addresses: [String]
        /// MQTT version of the present connection.
        package var version: String?
        /// Begin of the present connection, or end of the last one.
        package var since: String?
        package var lastError: String?
        package var remedy: String?
    }

    package struct Outbox: Codable, Equatable, Sendable {
        package var records: Int
        package var bytes: Int
        package var capacityBytes: Int
        package var oldestAgeSeconds: Double?
        /// Time until the outbox is full at the present rate if nothing leaves.
        package var secondsLeft: Double?
        package var waitingForConsumer: Int
        package var trouble: String?
    }

    package struct Clock: Codable, Equatable, Sendable {
        package var synchronized: Bool
    }

    package struct Log: Codable, Equatable, Sendable {
        /// Level at present.
        package var level: String
        /// The latest warnings and errors, the oldest first.
        package var problems: [Entry]

        package struct Entry: Codable, Equatable, Sendable {
            package var time: String
            package var level: String
            package var message: String
            package var metadata: [String: String]

            package init(_ entry: LogEntry) {
                time = entry.time.rfc3339
                level = entry.level
                message = entry.message
                metadata = entry.metadata
            }
        }
    }

    /// The document, in one line.
    package var encoded: [UInt8] { JSON.encode(self) }
}
