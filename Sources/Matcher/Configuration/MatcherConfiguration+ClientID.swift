import InteractionStore
import MQTTBridge

extension MatcherConfiguration {
    /// This configuration with the client identifier that the store keeps, where it names none itself.
    ///
    /// Whoever connects with a client's identifier takes its session, and what the broker holds for it; so by default nobody
    /// can guess it. All matchers of one store have the same, so that another takes over where one ended.
    ///
    /// - Throws: `StoreError`.
    func withClientID(from store: InteractionStore) throws -> MatcherConfiguration {
        guard !namesClientID else { return self }
        var configuration = self
        configuration.broker.clientID = try store.clientID()
        return configuration
    }
}
