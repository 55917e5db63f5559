import CommandSupport
import InteractionStore
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

    /// Opens the store, for which the beacons that are configured are fixed.
    ///
    /// - Throws: `StoreError`.
    func openStore(creating: Bool = true, isForAnswers: Bool = false) throws -> InteractionStore {
        try InteractionStore.open(
            store, retention: retention, creating: creating, isForAnswers: isForAnswers,
            fixedBeacons: Set(fixedBeacons.keys))
    }
}
