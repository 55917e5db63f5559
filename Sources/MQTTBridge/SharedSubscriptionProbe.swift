import Publishing
import RecordContract

/// A test of whether a broker supports shared subscriptions, made by sending a message to itself.
enum SharedSubscriptionProbe {
    private static let patience: Duration = .seconds(5)

    /// Returns whether the broker delivers a message over a shared subscription.
    ///
    /// - Returns: `nil` if there is no connection.
    static func works(
        _ configuration: BrokerConfiguration, _ endpoint: BrokerEndpoint, _ version: MQTTVersion
    ) async -> Bool? {
        var configuration = configuration
        configuration.clientID += "_share"
        // The broker need not keep this session.
        configuration.sessionExpiry = .zero
        guard
            let connection = try? MQTTConnection(
                configuration: configuration, endpoint: endpoint, version: version, will: nil)
        else { return nil }
        let topic = "beacon-matcher/probe/\(configuration.clientID)/\(UInt64.random(in: .min ... .max))"
        return (try? await connection.use { await answer(on: connection, topic) }) ?? nil
    }

    private static func answer(on connection: MQTTConnection, _ topic: String) async -> Bool? {
        let limit = Task {
            try await Task.sleep(for: patience)
            connection.disconnect()
        }
        defer { limit.cancel() }
        var wasSubscribed: Bool?
        do {
            for try await event in connection.events {
                switch event {
                case .connected: try connection.subscribe(to: "$share/probe/" + topic)
                case .subscribed(_, let isGranted):
                    guard isGranted else { return false }
                    wasSubscribed = false
                    _ = try connection.publish(MQTTMessage(topic: topic, payload: []))
                case .message: return true
                case .rejected: return false
                case .acknowledged: _ = connection.takeAcknowledged()
                }
            }
        } catch {
            return wasSubscribed
        }
        return wasSubscribed
    }
}
