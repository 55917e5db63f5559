import ArgumentParser
import CommandSupport
import InteractionStore

/// Which store, for commands that need no daemon.
struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The matcher's configuration.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The store itself, without a configuration: the path of an SQLite file, or a connection string of PostgreSQL.",
            valueName: "location"),
        transform: Self.location)
    var store: StoreLocation?

    private static func location(_ text: String) throws -> StoreLocation {
        guard let location = StoreLocation(text) else { throw ValidationError("must be \(StoreLocation.form)") }
        return location
    }

    func validate() throws {
        if (config == nil) == (store == nil) {
            throw ValidationError("give either --config FILE or --store LOCATION: which store is meant?")
        }
    }

    /// What the configuration says; without one, what is so by default.
    ///
    /// - Parameter purposes: of the secrets that are needed.
    func read(_ purposes: Set<SecretAccess.Purpose> = [.store]) throws -> MatcherConfiguration {
        if let config {
            return try MatcherConfiguration.load(config, secrets: ConfigurationFile.secrets(for: purposes))
        }
        var configuration = try MatcherConfiguration.parse("", path: "", readFile: { _ in [] })
        if let store { configuration.store = store }
        return configuration
    }
}
