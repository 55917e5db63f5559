import ArgumentParser
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText

/// Options that select the store, for commands that need no daemon.
struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The matcher's configuration.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The store, if there is no configuration: the path of an SQLite file, or a PostgreSQL connection string.",
            valueName: "location"))
    var store: String?

    func validate() throws {
        if (config == nil) == (store == nil) {
            throw ValidationError("specify the store with either --config FILE or --store LOCATION")
        }
        // Checked here and not while parsing: the parser quotes an invalid value, and there may be a password in it.
        if let store, StoreLocation(store) == nil {
            throw ValidationError("--store must be \(StoreLocation.form)")
        }
    }

    /// Reads the configuration. Without one, returns the defaults with the given store.
    ///
    /// - Parameter purposes: purposes of the secrets that are needed.
    func read(_ purposes: Set<SecretAccess.Purpose> = [.store]) throws -> MatcherConfiguration {
        if let config {
            return try MatcherConfiguration.load(config, secrets: ConfigurationFile.secrets(for: purposes))
        }
        var configuration = try MatcherConfiguration.parse("", path: "", readFile: { _ in [] })
        if let location = store.flatMap({ StoreLocation($0) }) { configuration.store = location }
        return configuration
    }
}
