import CommandSupport
import SystemIO
import UARTConfig

extension Configuration {
    /// Reads and checks a file, and the secrets and the inventory that it names.
    static func load(_ path: String) throws -> Configuration {
        try parse(
            ConfigurationFile.text(path), path: path,
            readFile: { try FileContents.read(ConfigurationFile.locate($0), limit: Inventory.longestFile) },
            locate: ConfigurationFile.locate)
    }
}
