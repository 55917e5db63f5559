import BeaconModel
import CommandSupport
import HCI
import Integrations
import ModuleDialogues
import OperatorText
import Proximity
import Publishing
import RecordContract

/// What a gateway is told by its file, checked completely.
struct Configuration: Sendable {
    var place: Place
    var topicPrefix: String
    var broker: BrokerConfiguration
    var outbox: OutboxRules
    var adapters: [AdapterSelector]
    /// By which of the kernel's interfaces they are heard; `nil`: by the best that this process may use.
    var scanPath: ScanPathKind?
    /// Beacons of other proximity UUIDs are strangers' and are only counted.
    var listedUUIDs: Set<ProximityUUID>
    /// Without one, phones are only counted.
    var pseudonymSecret: [UInt8]?
    var rules: InteractionRules
    /// Whether receivers' offsets and the exponent are learnt from our own fixed beacons.
    var calibratesAutomatically = true
    /// The modules on this gateway.
    var inventory: Inventory
    /// The file that they are listed in; `nil` when that is the configuration itself.
    var inventoryFile: String?
    /// What is known of the RS9116 modules that the manufacturer doesn't say.
    var moduleProfile = RS9116Profile()
    var exchange = ExchangeSettings()
    var stateDirectory: String

    /// When two badges are too near each other; `nil`: nobody is told.
    var socialDistance: SocialDistanceRules?

    /// What other people's tools are told.
    var outputs = OutputSettings()
    /// Beacons that have a name, beside the modules.
    var knownBeacons: [NamedBeacon] = []
    /// Nodes elsewhere that tell by MQTT whom they hear.
    var remoteEars: [RemoteEarConfiguration] = []
    var commands = CommandRules()
    /// The key that signs records and health; `nil`: they aren't signed.
    var signingKey: SigningKey?
    /// Whether there is a table `signing`, whose key only the service may have.
    var namesSigning = false

    static let defaultStateDirectory = "/var/lib/beacon-gateway"

    /// Beacons that hang somewhere, and aren't carried.
    var fixedBeacons: Set<BeaconID> {
        Set(inventory.entries.map(\.configuration.beacon) + (place.beacon.map { [$0] } ?? []))
    }

    /// Learns from beacons whose distance to this gateway is known; `nil` where there are none.
    func calibration(resuming state: AutomaticCalibration.State?) -> AutomaticCalibration? {
        guard calibratesAutomatically, let position = place.position else { return nil }
        let positions = inventory.entries.compactMap { entry in
            entry.position.map { (entry.configuration.beacon, $0) }
        }
        guard !positions.isEmpty else { return nil }
        return AutomaticCalibration(
            gateway: position, fixed: Dictionary(positions, uniquingKeysWith: { first, _ in first }),
            exponent: rules.distance.beacons.exponent, resuming: state)
    }

    /// The modules of an inventory and the known beacons.
    func namedBeacons(_ inventory: Inventory) -> [NamedBeacon] {
        let modules = inventory.entries.map {
            NamedBeacon(
                beacon: $0.configuration.beacon, name: $0.name, module: .init(name: $0.name, room: $0.room))
        }
        // An inventory that was read anew may have a beacon that was known without a module.
        let beacons = Set(modules.map(\.beacon))
        return modules + knownBeacons.filter { !beacons.contains($0.beacon) }
    }

    var outputGateway: OutputGateway {
        OutputGateway(
            place: place, topics: topics, version: Daemon.version,
            hasEars: !remoteEars.isEmpty || inventory.entries.contains(where: \.listens))
    }

    var topics: Topics { Topics(prefix: topicPrefix, place: place) }
    /// Of the topics of all gateways.
    var topicsOfAll: String { topicPrefix + "/v1" }
    var pseudonymizer: Pseudonymizer? { pseudonymSecret.map { Pseudonymizer(secret: $0) } }

    /// - Parameters:
    ///   - path: what problems are reported of, and where relative paths begin.
    ///   - secrets: those that are read.
    ///   - readFile: gives the contents of a file that the configuration names: a secret, an inventory.
    ///   - locate: gives the path of a file that the configuration names; `nil` for `ConfiguredPath`.
    /// - Throws: `ConfigurationError` with everything that is wrong.
    static func parse(
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
