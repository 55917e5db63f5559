package import BeaconModel
package import Exposition
package import HCI
package import Integrations
package import ModuleDialogues
package import OperatorText
package import Proximity
package import Publishing
package import RecordContract

/// The complete, checked configuration of a gateway.
package struct Configuration: Sendable {
    package var place: Place
    package var topicPrefix: String
    package var broker: BrokerConfiguration
    package var outbox: OutboxRules
    package var adapters: [AdapterSelector]
    /// Kernel interface used for scanning; `nil`: the best one that this process may use.
    package var scanPath: ScanPathKind?
    /// Proximity UUIDs whose beacons are tracked. Beacons with other UUIDs are only counted, as unlisted.
    package var listedUUIDs: Set<ProximityUUID>
    /// Secret for the pseudonyms of phones; without one, phones are only counted.
    package var pseudonymSecret: [UInt8]?
    package var rules: InteractionRules
    /// Whether the receivers' offsets and the exponent are learned from our own fixed beacons.
    var calibratesAutomatically = true
    /// The modules on this gateway.
    package var inventory: Inventory
    /// Path of the file that lists the modules; `nil` if the configuration itself lists them.
    package var inventoryFile: String?
    /// Measured properties of the RS9116 modules that the manufacturer does not document.
    package var moduleProfile = RS9116Profile()
    package var exchange = ExchangeSettings()
    package var stateDirectory: String
    package var localSocket = LocalSocketSetting.automatic
    /// Whether the gateway's own file allows the gateway to be configured from afar.
    package var isConfiguredFromAfar = true

    /// Rules for badges that are too near each other; `nil`: no alerts.
    package var socialDistance: SocialDistanceRules?

    /// Settings of the outputs to other tools.
    package var outputs = OutputSettings()
    /// Named beacons besides the modules.
    package var knownBeacons: [NamedBeacon] = []
    /// Nodes elsewhere that publish by MQTT what they hear.
    package var remoteReceivers: [RemoteReceiverConfiguration] = []
    package var commands = CommandRules()
    /// Where `/metrics` and `/healthz` are answered; `nil`: nowhere.
    package var metrics: MetricsSettings?
    /// The key that signs records and health messages; `nil`: they are not signed.
    package var signingKey: SigningKey?
    /// Whether there is a table `signing`. Only the service may have its key.
    package var namesSigning = false

    package init(
        place: Place, topicPrefix: String, broker: BrokerConfiguration, outbox: OutboxRules,
        adapters: [AdapterSelector], scanPath: ScanPathKind? = nil, listedUUIDs: Set<ProximityUUID>,
        pseudonymSecret: [UInt8]? = nil, rules: InteractionRules, calibratesAutomatically: Bool = true,
        inventory: Inventory, inventoryFile: String? = nil, moduleProfile: RS9116Profile = RS9116Profile(),
        exchange: ExchangeSettings = ExchangeSettings(), stateDirectory: String,
        socialDistance: SocialDistanceRules? = nil, outputs: OutputSettings = OutputSettings(),
        knownBeacons: [NamedBeacon] = [], remoteReceivers: [RemoteReceiverConfiguration] = [],
        commands: CommandRules = CommandRules(), metrics: MetricsSettings? = nil, signingKey: SigningKey? = nil,
        namesSigning: Bool = false, localSocket: LocalSocketSetting = .automatic, isConfiguredFromAfar: Bool = true
    ) {
        self.place = place
        self.topicPrefix = topicPrefix
        self.broker = broker
        self.outbox = outbox
        self.adapters = adapters
        self.scanPath = scanPath
        self.listedUUIDs = listedUUIDs
        self.pseudonymSecret = pseudonymSecret
        self.rules = rules
        self.calibratesAutomatically = calibratesAutomatically
        self.inventory = inventory
        self.inventoryFile = inventoryFile
        self.moduleProfile = moduleProfile
        self.exchange = exchange
        self.stateDirectory = stateDirectory
        self.socialDistance = socialDistance
        self.outputs = outputs
        self.knownBeacons = knownBeacons
        self.remoteReceivers = remoteReceivers
        self.commands = commands
        self.metrics = metrics
        self.signingKey = signingKey
        self.namesSigning = namesSigning
        self.localSocket = localSocket
        self.isConfiguredFromAfar = isConfiguredFromAfar
    }

    package static let defaultStateDirectory = "/var/lib/beacon-gateway"

    /// Beacons that are mounted in place and not carried.
    package var fixedBeacons: Set<BeaconID> {
        Set(inventory.entries.map(\.configuration.beacon) + (place.beacon.map { [$0] } ?? []))
    }

    /// Returns the calibration that learns from beacons at known distances from this gateway; `nil` where there are
    /// none.
    package func calibration(resuming state: AutomaticCalibration.State?) -> AutomaticCalibration? {
        guard calibratesAutomatically, let position = place.position else { return nil }
        let positions = inventory.entries.compactMap { entry in
            entry.position.map { (entry.configuration.beacon, $0) }
        }
        guard !positions.isEmpty else { return nil }
        return AutomaticCalibration(
            gateway: position, fixed: Dictionary(positions, uniquingKeysWith: { first, _ in first }),
            exponent: rules.distance.beacons.exponent, resuming: state)
    }

    /// Returns the modules of an inventory and the known beacons.
    package func namedBeacons(_ inventory: Inventory) -> [NamedBeacon] {
        let modules = inventory.entries.map {
            NamedBeacon(
                beacon: $0.configuration.beacon, name: $0.name, module: .init(name: $0.name, room: $0.room))
        }
        // A re-read inventory can contain a beacon that was known without a module.
        let beacons = Set(modules.map(\.beacon))
        return modules + knownBeacons.filter { !beacons.contains($0.beacon) }
    }

    package var outputGateway: OutputGateway {
        OutputGateway(
            place: place, topics: topics, version: ProductVersion.number,
            hasRemoteReceivers: !remoteReceivers.isEmpty || inventory.entries.contains(where: \.listens))
    }

    package var topics: Topics { Topics(prefix: topicPrefix, place: place) }
    /// Prefix of the topics of all gateways.
    package var topicsOfAll: String { topicPrefix + "/v1" }
    package var pseudonymizer: Pseudonymizer? { pseudonymSecret.map { Pseudonymizer(secret: $0) } }

    /// - Parameters:
    ///   - path: the path that problems are reported under, and that relative paths are resolved against.
    ///   - secrets: the secrets to read.
    ///   - readFile: returns the contents of a file that the configuration names: a secret, an inventory.
    ///   - locate: returns the path of a file that the configuration names; `nil` for `ConfiguredPath`.
    /// - Throws: `ConfigurationError` with all problems of the configuration.
    package static func parse(
        _ text: String, path: String, secrets: SecretAccess = SecretAccess(),
        readFile: (String) throws -> [UInt8], locate: ((String) -> String)? = nil
    ) throws(ConfigurationError) -> Configuration {
        let locate = locate ?? { ConfiguredPath.resolve($0, in: path) }
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        let configuration = read(root, secrets: secrets, readFile: { try readFile(locate($0)) }, locate: locate)
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return configuration
    }
}
