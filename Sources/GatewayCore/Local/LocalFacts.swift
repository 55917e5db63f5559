package import BeaconModel
package import ModuleDialogues
package import OperatorText
package import RecordContract
package import Watching

/// What a running gateway knows of itself. `LocalStatus` is made of it.
package struct LocalFacts: Sendable {
    package var time: Timestamp
    package var place: Place
    package var version: String
    /// Commit of the build; empty where it is not known.
    package var commit: String
    package var boot: UInt64
    package var process: Int32
    package var startedAt: String
    package var uptime: Duration
    package var liveness: Liveness
    package var modules: [ModuleStatus]
    package var otherPorts: [Fleet.OtherPort]
    package var openPorts: [String]
    package var radios: [RadioReport]
    /// Reports per second of each adapter; empty in the first seconds.
    package var rates: [Double]
    package var broker: Broker
    package var outbox: OutboxStatus
    /// Why the broker does not accept what it is offered.
    package var delivery: String?
    package var isClockSynchronized: Bool
    package var logLevel: String
    package var logProblems: [LogEntry]
    /// Which configuration is in use; `nil` for a gateway that cannot be configured from afar.
    package var configuration: RolloutState?

    package struct Broker: Sendable {
        /// The broker and the MQTT version of the present connection.
        package var connection: (address: String, version: String)?
        /// Brokers of the configuration.
        package var configured: [String]
        /// Begin of the present connection, or end of the last one.
        package var since: Timestamp?
        package var lastError: (what: String, remedy: String?)?

        package init(
            connection: (address: String, version: String)?, configured: [String], since: Timestamp?,
            lastError: (what: String, remedy: String?)?
        ) {
            self.connection = connection
            self.configured = configured
            self.since = since
            self.lastError = lastError
        }
    }

    package init(
        time: Timestamp, place: Place, version: String, commit: String, boot: UInt64, process: Int32,
        startedAt: String, uptime: Duration, liveness: Liveness, modules: [ModuleStatus],
        otherPorts: [Fleet.OtherPort], openPorts: [String], radios: [RadioReport], rates: [Double], broker: Broker,
        outbox: OutboxStatus, delivery: String?, isClockSynchronized: Bool, logLevel: String, logProblems: [LogEntry],
        configuration: RolloutState? = nil
    ) {
        self.time = time
        self.place = place
        self.version = version
        self.commit = commit
        self.boot = boot
        self.process = process
        self.startedAt = startedAt
        self.uptime = uptime
        self.liveness = liveness
        self.modules = modules
        self.otherPorts = otherPorts
        self.openPorts = openPorts
        self.radios = radios
        self.rates = rates
        self.broker = broker
        self.outbox = outbox
        self.delivery = delivery
        self.isClockSynchronized = isClockSynchronized
        self.logLevel = logLevel
        self.logProblems = logProblems
        self.configuration = configuration
    }
}
