import CommandSupport
package import GatewayCore
import ModuleDialogues
package import OperatorText

extension Configuration {
    /// Reads and checks a configuration file and the files that it names.
    ///
    /// - Parameter secrets: the secrets that the command needs.
    package static func load(_ path: String, secrets: SecretAccess) throws -> Configuration {
        try parse(
            ConfigurationFile.text(path), path: path, secrets: secrets,
            readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: Inventory.longestFile),
            locate: { ConfigurationFile.locate($0, in: path) })
    }
}
