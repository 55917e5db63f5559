import CommandSupport
import SystemIO

extension MatcherConfiguration {
    /// Reads and checks a file, and the files that it names.
    ///
    /// - Parameter secrets: those that the command needs.
    static func load(_ path: String, secrets: SecretAccess) throws -> MatcherConfiguration {
        try parse(
            ConfigurationFile.text(path), path: path, secrets: secrets,
            readFile: { try FileContents.read($0, limit: 1024 * 1024) },
            locate: { ConfigurationFile.locate($0, in: path) })
    }
}
