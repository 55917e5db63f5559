import BeaconModel
import MQTTBridge
import Proximity
import TOMLKit
import UARTConfig

/// What a gateway is told by its file, checked completely.
struct Configuration: Sendable {
    var place: Place
    var topicPrefix: String
    var broker: BrokerConfiguration
    var outboxCapacity: Int
    var adapter: Adapter
    /// Beacons of other proximity UUIDs are strangers' and are only counted.
    var listedUUIDs: Set<ProximityUUID>
    /// Without one, phones are only counted.
    var pseudonymSecret: [UInt8]?
    var rules: InteractionRules
    var modules: [Module]
    var stateDirectory: String

    struct Module: Equatable, Sendable {
        /// A level of the module's topics.
        var name: String
        var port: String
        var beacon: BeaconConfiguration
    }

    static let defaultStateDirectory = "/var/lib/beacon-gateway"

    var topics: Topics { Topics(prefix: topicPrefix, place: place) }
    var pseudonymizer: Pseudonymizer? { pseudonymSecret.map { Pseudonymizer(secret: $0) } }

    /// - Parameters:
    ///   - path: what problems are reported of.
    ///   - readFile: gives the contents of a file that the configuration names: a secret.
    /// - Throws: `ConfigurationError` with everything that is wrong.
    static func parse(
        _ text: String, path: String, readFile: (String) throws -> [UInt8]
    ) throws(ConfigurationError) -> Configuration {
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let begin = error.source.begin
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        location: "line \(begin.line), column \(begin.column)", found: error.description,
                        allowed: "must be TOML 1.0")
                ])
        } catch {
            throw ConfigurationError(
                path: path,
                problems: [ConfigurationProblem(location: "file", found: "\(error)", allowed: "must be TOML 1.0")])
        }
        let problems = TOMLReader.Problems()
        let root = TOMLReader(table, problems: problems)
        let configuration = read(root, readFile: readFile)
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return configuration
    }
}
