import InteractionStore
import Publishing

extension MatcherConfiguration {
    /// This configuration with the names that the store keeps, so that nobody guesses them: the client identifier, where it names
    /// none itself, and the end of the share's.
    ///
    /// Whoever connects with a client's identifier takes its session, and what the broker holds for it; whoever joins a share takes
    /// a part of the records. All matchers of one store have the same, so that another takes over where one ended.
    ///
    /// - Throws: `StoreError`.
    func withClientID(from store: InteractionStore) throws -> MatcherConfiguration {
        var configuration = self
        if !namesClientID { configuration.broker.clientID = try store.clientID() }
        if let share { configuration.secretShare = try store.shareName(share) }
        return configuration
    }
}
