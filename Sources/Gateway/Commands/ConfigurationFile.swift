import CommandSupport
import SystemIO
import UARTConfig

extension Configuration {
    /// Reads and checks a file, and the files that it names.
    ///
    /// - Parameter secrets: those that the command needs.
    static func load(_ path: String, secrets: SecretAccess) throws -> Configuration {
        ConfigurationFile.refuseOpenSecrets(secrets, in: path)
        return try parse(
            ConfigurationFile.text(path), path: path, secrets: secrets,
            readFile: { try FileContents.read($0, limit: Inventory.longestFile) },
            locate: { ConfigurationFile.locate($0, in: path) })
    }
}
