package import InteractionStore
import Publishing

extension MatcherConfiguration {
    /// Returns this configuration with the secret names from the store, which nobody can guess: the client identifier,
    /// unless the configuration names one, and the end of the share's name.
    ///
    /// A client that connects with another's identifier takes over its session and the messages queued for it. A client
    /// that joins a share receives a part of the records. All matchers of one store use the same names, so that another
    /// can take over where one ended.
    ///
    /// - Throws: `StoreError`.
    package func withClientID(from store: InteractionStore) throws -> MatcherConfiguration {
        var configuration = self
        if !namesClientID { configuration.broker.clientID = try store.clientID() }
        if let share { configuration.secretShare = try store.shareName(share) }
        return configuration
    }
}
