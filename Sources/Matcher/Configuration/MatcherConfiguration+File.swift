import CommandSupport
import SystemIO

extension MatcherConfiguration {
    /// Reads and checks a file, and the files that it names.
    static func load(_ path: String) throws -> MatcherConfiguration {
        try parse(
            ConfigurationFile.text(path), path: path,
            readFile: { try FileContents.read(ConfigurationFile.locate($0), limit: 1024 * 1024) },
            locate: ConfigurationFile.locate)
    }
}
