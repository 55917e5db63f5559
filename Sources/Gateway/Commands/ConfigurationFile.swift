import BeaconModel
import Glibc
import SystemIO
import UARTConfig

extension Configuration {
    /// Reads and checks a file, and the secrets and the inventory that it names.
    static func load(_ path: String) throws -> Configuration {
        let text: [UInt8]
        do throws(SystemError) {
            text = try FileContents.read(path, limit: 1024 * 1024)
        } catch {
            throw UnreadableConfiguration(error: error)
        }
        guard let text = String(validating: text, as: UTF8.self), !text.utf8.contains(0) else {
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        location: "file", found: "holds bytes that are no UTF-8 text", allowed: "must be TOML 1.0")
                ])
        }
        let credentials = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        let locate = { CredentialPath.resolve($0, directory: credentials) }
        return try parse(
            text, path: path, readFile: { try FileContents.read(locate($0), limit: Inventory.longestFile) },
            locate: locate)
    }
}

/// The configuration file itself can't be read.
struct UnreadableConfiguration: OperatorError {
    var error: SystemError

    var what: String { error.what }
    var remedy: String? { "give the path of a configuration with --config; README.md shows a complete one" }
    var exitStatus: ExitStatus { .configuration }
}
