package import BeaconModel
import Glibc
package import OperatorText
import SystemIO

/// A configuration file, and the files that it names.
package enum ConfigurationFile {
    /// The text of a whole file.
    ///
    /// - Throws: `UnreadableConfiguration`, `ConfigurationError`.
    package static func text(_ path: String) throws -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: 1024 * 1024)
        } catch {
            throw UnreadableConfiguration(error: error)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        location: "file", found: "holds bytes that are no UTF-8 text", allowed: "must be TOML 1.0")
                ])
        }
        return text
    }

    /// The path of a file that a configuration names: relative to the configuration, or that of a credential of a service
    /// manager.
    package static func locate(_ path: String, in configuration: String) -> String {
        CredentialPath.resolve(
            ConfiguredPath.resolve(path, in: configuration), directory: credentialsDirectory)
    }

    /// The secrets that a command reads. A service manager's are only there in its service.
    ///
    /// - Parameter isTolerant: a secret that only the service has is left out instead of being an error.
    package static func secrets(
        for purposes: Set<SecretAccess.Purpose> = SecretAccess.everything, isTolerant: Bool = false
    ) -> SecretAccess {
        SecretAccess(for: purposes, hasCredentials: credentialsDirectory != nil, isTolerant: isTolerant)
    }

    /// Reads files that a configuration names, and has those of secrets refused that more people may read or change.
    ///
    /// - Parameters:
    ///   - configuration: the path of the file that names them.
    ///   - limit: longer files are refused.
    /// - Returns: gives the contents of a file, by its path as `locate(_:in:)` has it.
    package static func reader(
        refusing secrets: SecretAccess, in configuration: String, limit: Int
    ) -> (String) throws -> [UInt8] {
        let user = geteuid()
        // Of the files that were read, not of what has their names afterwards.
        var files: [String: FileAccess] = [:]
        secrets.refuse { path in
            let path = locate(path, in: configuration)
            return files[path].flatMap { SecretFilePermissions.objection(to: $0, path: path, user: user) }
        }
        return { path in
            let file = try FileContents.readWithAccess(path, limit: limit)
            files[path] = file.access
            return file.contents
        }
    }

    private static var credentialsDirectory: String? {
        getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }
}

/// The configuration file itself can't be read.
package struct UnreadableConfiguration: OperatorError {
    package var error: SystemError

    package var what: String { error.what }
    package var remedy: String? {
        "give the path of a configuration with --config; docs/guide/configuration.md shows a complete one"
    }
    package var exitStatus: ExitStatus { .configuration }
}
