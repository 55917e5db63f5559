package import Publishing
package import RecordContract
import SystemIO

/// A client that receives published messages for tools that display them, and sends what these have to say.
package struct MQTTSubscriber: Sendable {
    private let connection: MQTTConnection
    private let filters: [String]

    /// Creates a subscriber to topic filters; `run` connects it.
    ///
    /// - Parameters:
    ///   - endpoint: the broker; `nil`: the preferred one.
    ///   - version: the version that the broker speaks.
    ///   - keepsSession: whether a broker that speaks MQTT 5 keeps messages while this client is disconnected.
    /// - Throws: `MQTTError` for a configuration that libmosquitto rejects.
    package init(
        configuration: BrokerConfiguration, endpoint: BrokerEndpoint? = nil, version: MQTTVersion = .threeOneOne,
        filters: [String], keepsSession: Bool = false
    ) throws(MQTTError) {
        connection = try MQTTConnection(
            configuration: configuration, endpoint: endpoint, version: version, will: nil,
            session: keepsSession ? .whereItExpires : .never)
        self.filters = filters
    }

    /// Creates a subscriber to one topic filter.
    ///
    /// - Throws: `MQTTError` for a configuration that libmosquitto rejects.
    package init(configuration: BrokerConfiguration, filter: String) throws(MQTTError) {
        try self.init(configuration: configuration, filters: [filter])
    }

    /// Connects, subscribes and passes every message to `body` until `body` returns `false` or the task is cancelled.
    ///
    /// - Parameter onSubscribed: called once the broker has confirmed all subscriptions.
    /// - Throws: `MQTTError` when the connection breaks; `SubscriptionRefused`.
    package func run(onSubscribed: () async -> Void, _ body: (MQTTMessage) async -> Bool) async throws {
        try await connection.use { try await receive(onSubscribed, body) }
    }

    private func receive(_ onSubscribed: () async -> Void, _ body: (MQTTMessage) async -> Bool) async throws {
        var awaited: [Int32: String] = [:]
        for try await event in connection.events {
            switch event {
            case .connected:
                for filter in filters { awaited[try connection.subscribe(to: filter)] = filter }
            case .subscribed(let number, let isGranted):
                guard let filter = awaited.removeValue(forKey: number) else { break }
                guard isGranted else {
                    throw SubscriptionRefused(broker: connection.endpoint.description, filter: filter)
                }
                if awaited.isEmpty { await onSubscribed() }
            case .message(let message):
                _ = connection.taken(message)
                // Many messages may be queued; a cancelled task does not process them.
                if Task.isCancelled { return }
                if await !body(message) { return }
            case .acknowledged: _ = connection.takeAcknowledged()
            case .rejected: break
            }
        }
    }

    /// Sends a message on the connection that `run` serves. Nobody waits for its acknowledgement.
    ///
    /// - Throws: `MQTTError` for a message that libmosquitto does not take.
    package func publish(_ message: MQTTMessage) throws(MQTTError) { _ = try connection.publish(message) }
}
