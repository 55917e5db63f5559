import SystemIO

/// Receives what others publish, for tools that show it.
public struct MQTTSubscriber: Sendable {
    private let connection: MQTTConnection
    private let filter: String

    /// - Throws: `MQTTError` for a configuration that libmosquitto refuses.
    public init(configuration: BrokerConfiguration, filter: String) throws {
        connection = try MQTTConnection(configuration: configuration, will: nil)
        self.filter = filter
    }

    /// Connects, subscribes and hands every message to `body` until that answers `false` or the task is cancelled.
    ///
    /// - Parameter onSubscribed: called once the broker has confirmed the subscription.
    /// - Throws: `MQTTError` when the connection breaks.
    public func run(onSubscribed: () async -> Void, _ body: (MQTTMessage) async -> Bool) async throws {
        try connection.start()
        defer { connection.disconnect() }
        for try await event in connection.events {
            switch event {
            case .connected: try connection.subscribe(to: filter)
            case .subscribed: await onSubscribed()
            case .message(let message): if await !body(message) { return }
            case .acknowledged: break
            }
        }
    }
}
