import BeaconModel
import BlueZScanner
import MQTTBridge
import Proximity
import UARTConfig

/// What a gateway is told by its file, checked completely.
struct Configuration: Sendable {
    var place: Place
    var topicPrefix: String
    var broker: BrokerConfiguration
    var outboxCapacity: Int
    var adapters: [AdapterSelector]
    /// By which of the kernel's interfaces they are heard; `nil`: by the best that this process may use.
    var scanPath: ScanPathKind?
    /// Beacons of other proximity UUIDs are strangers' and are only counted.
    var listedUUIDs: Set<ProximityUUID>
    /// Without one, phones are only counted.
    var pseudonymSecret: [UInt8]?
    var rules: InteractionRules
    /// The modules on this gateway.
    var inventory: Inventory
    /// What is known of the RS9116 modules that the manufacturer doesn't say.
    var moduleProfile = RS9116Profile()
    var exchange = ExchangeSettings()
    var stateDirectory: String

    static let defaultStateDirectory = "/var/lib/beacon-gateway"

    var topics: Topics { Topics(prefix: topicPrefix, place: place) }
    var pseudonymizer: Pseudonymizer? { pseudonymSecret.map { Pseudonymizer(secret: $0) } }

    /// - Parameters:
    ///   - path: what problems are reported of, and where an inventory's relative path begins.
    ///   - readFile: gives the contents of a file that the configuration names: a secret, an inventory.
    /// - Throws: `ConfigurationError` with everything that is wrong.
    static func parse(
        _ text: String, path: String, readFile: (String) throws -> [UInt8]
    ) throws(ConfigurationError) -> Configuration {
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        let configuration = read(root, path: path, readFile: readFile)
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return configuration
    }
}
