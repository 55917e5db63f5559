package import BeaconModel
import Glibc
package import OperatorText
import SystemIO

/// A configuration file, and the files that it names.
package enum ConfigurationFile {
    /// Returns the text of a whole file.
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
                        location: "file", found: "is not UTF-8 text", allowed: "must be TOML 1.0")
                ])
        }
        return text
    }

    /// Returns the path of a file that a configuration names: relative to the configuration, or that of a service
    /// manager's credential.
    package static func locate(_ path: String, in configuration: String) -> String {
        CredentialPath.resolve(
            ConfiguredPath.resolve(path, in: configuration), directory: credentialsDirectory)
    }

    /// Returns the access to the secrets that a command reads. A service manager's secrets are available only in its
    /// service.
    ///
    /// - Parameter isTolerant: whether a secret that only the service has is left out instead of being an error.
    package static func secrets(
        for purposes: Set<SecretAccess.Purpose> = SecretAccess.everything, isTolerant: Bool = false
    ) -> SecretAccess {
        SecretAccess(for: purposes, hasCredentials: credentialsDirectory != nil, isTolerant: isTolerant)
    }

    /// Returns a reader of the files that a configuration names. Files with secrets are refused if too many users can
    /// read or change them.
    ///
    /// - Parameters:
    ///   - configuration: the path of the file that names them.
    ///   - limit: the maximum size in bytes; larger files are refused.
    /// - Returns: a function that returns the contents of a file, by its path in the configuration.
    package static func reader(
        refusing secrets: SecretAccess, in configuration: String, limit: Int
    ) -> (String) throws -> [UInt8] {
        let user = geteuid()
        // The permissions of the files as they were read: another file may have the same name afterwards.
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

/// The configuration file itself cannot be read.
package struct UnreadableConfiguration: OperatorError {
    package var error: SystemError

    package var what: String { error.what }
    package var remedy: String? {
        "specify the configuration file with --config; docs/guide shows a complete one"
    }
    package var exitStatus: ExitStatus { .configuration }
}
