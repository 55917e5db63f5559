import BeaconModel
import Glibc
package import Publishing
import RecordContract
import SystemIO

/// A test of whether a broker is reachable and accepts this gateway, without disturbing a gateway that is connected.
package enum BrokerProbe {
    /// Connects under a separate client identifier, then disconnects. A second session with the gateway's client
    /// identifier would end the first.
    ///
    /// - Parameters:
    ///   - endpoint: the broker; `nil`: the preferred one.
    ///   - version: the version; `nil`: the configured one. With `auto`, both are tried, MQTT 5 first.
    /// - Returns: the time until the broker accepted the connection.
    /// - Throws: `MQTTError`; `timedOut` after `limit`.
    package static func connect(
        _ configuration: BrokerConfiguration, endpoint: BrokerEndpoint? = nil, version: MQTTVersion? = nil,
        within limit: Duration
    ) async throws(MQTTError) -> Duration {
        let endpoint = endpoint ?? configuration.preferred
        do throws(MQTTError) {
            return try await attempt(
                configuration, endpoint, version ?? (configuration.version == .threeOneOne ? .threeOneOne : .five),
                within: limit)
        } catch {
            guard version == nil, configuration.version == .automatic, error.suggestsOlderVersion else { throw error }
            return try await attempt(configuration, endpoint, .threeOneOne, within: limit)
        }
    }

    /// Returns whether a broker answers at another port of the preferred broker's host. It is told no password.
    package static func answers(
        _ configuration: BrokerConfiguration, at port: UInt16, within limit: Duration
    ) async -> Bool {
        var other = BrokerConfiguration(
            host: configuration.preferred.host, port: port, clientID: configuration.clientID)
        other.connectTimeout = limit
        if port == BrokerOutcome.portOfTLS { other.tls = TLSConfiguration() }
        do throws(MQTTError) {
            _ = try await connect(other, within: limit)
            return true
        } catch {
            return error.isAnswer
        }
    }

    /// Connects as `connect` does, and tries whether the user may use its topics.
    ///
    /// The message has no contents and is not retained. A broker that speaks only MQTT 3.1.1 does not tell whether it
    /// was accepted.
    ///
    /// - Parameters:
    ///   - topic: a topic to publish on.
    ///   - filters: topic filters to subscribe to.
    package static func outcome(
        _ configuration: BrokerConfiguration, publishing topic: String, subscribing filters: [String],
        within limit: Duration
    ) async -> BrokerOutcome {
        let version: MQTTVersion = configuration.version == .threeOneOne ? .threeOneOne : .five
        do throws(MQTTError) {
            return try await outcome(configuration, version, topic, filters, within: limit)
        } catch {
            return .failed(error)
        }
    }

    private static func outcome(
        _ configuration: BrokerConfiguration, _ version: MQTTVersion, _ topic: String, _ filters: [String],
        within limit: Duration
    ) async throws(MQTTError) -> BrokerOutcome {
        let endpoint = configuration.preferred
        var probe = configuration
        probe.clientID += "_probe"
        probe.sessionExpiry = .zero
        do {
            let connection = try MQTTConnection(
                configuration: probe, endpoint: endpoint, version: version, will: nil)
            return try await connection.use { try await use(connection, topic, filters, within: limit) }
        } catch let error as MQTTError {
            guard version == .five, configuration.version == .automatic, error.suggestsOlderVersion else { throw error }
            return try await outcome(configuration, .threeOneOne, topic, filters, within: limit)
        } catch let error as SystemError {
            throw MQTTError(broker: endpoint.description, cause: .system(error.errorNumber))
        } catch {
            throw MQTTError(broker: endpoint.description, cause: .system(ECANCELED))
        }
    }

    private static func use(
        _ connection: MQTTConnection, _ topic: String, _ filters: [String], within limit: Duration
    ) async throws -> BrokerOutcome {
        let broker = connection.endpoint.description
        let start = ContinuousClock.now
        var accepted = Duration.zero
        let timeout = Task {
            try await Task.sleep(for: limit)
            connection.abandon(.timedOut)
        }
        defer { timeout.cancel() }
        var awaited: [Int32: String] = [:]
        for try await event in connection.events {
            switch event {
            case .connected:
                accepted = ContinuousClock.now - start
                for filter in filters { awaited[try connection.subscribe(to: filter)] = filter }
                let message = MQTTMessage(topic: topic, payload: [], properties: .init(expiry: .seconds(1)))
                awaited[try connection.publish(message)] = topic
            case .subscribed(let number, let isGranted):
                guard let filter = awaited.removeValue(forKey: number) else { continue }
                if !isGranted { return .notSubscribed(SubscriptionRefused(broker: broker, filter: filter)) }
            case .acknowledged: for number in connection.takeAcknowledged() { awaited[number] = nil }
            case .rejected(_, let reason):
                throw MQTTError(broker: broker, cause: .notTaken(reason, topic: topic))
            case .message(let message): _ = connection.taken(message)
            }
            if awaited.isEmpty { return .accepted(after: accepted) }
        }
        throw MQTTError(broker: broker, cause: .closed)
    }

    /// Makes the broker discard the session of this client identifier, including the messages that wait in it.
    ///
    /// - Throws: `MQTTError`, and any other error with which a connection fails.
    static func discardSession(
        _ configuration: BrokerConfiguration, _ endpoint: BrokerEndpoint, _ version: MQTTVersion,
        within limit: Duration
    ) async throws {
        let connection = try MQTTConnection(
            configuration: configuration, endpoint: endpoint, version: version, will: nil)
        _ = try await connection.use { try await wait(for: connection, within: limit) }
    }

    private static func attempt(
        _ configuration: BrokerConfiguration, _ endpoint: BrokerEndpoint, _ version: MQTTVersion,
        within limit: Duration
    ) async throws(MQTTError) -> Duration {
        do {
            return try await connect(configuration, endpoint, version, within: limit)
        } catch let error as MQTTError {
            throw error
        } catch let error as SystemError {
            throw MQTTError(broker: endpoint.description, cause: .system(error.errorNumber))
        } catch {
            throw MQTTError(broker: endpoint.description, cause: .system(ECANCELED))
        }
    }

    private static func connect(
        _ configuration: BrokerConfiguration, _ endpoint: BrokerEndpoint, _ version: MQTTVersion,
        within limit: Duration
    ) async throws -> Duration {
        var configuration = configuration
        configuration.clientID += "_probe"
        let connection = try MQTTConnection(
            configuration: configuration, endpoint: endpoint, version: version, will: nil)
        return try await connection.use { try await wait(for: connection, within: limit) }
    }

    private static func wait(for connection: MQTTConnection, within limit: Duration) async throws -> Duration {
        let start = ContinuousClock.now
        let timeout = Task {
            try await Task.sleep(for: limit)
            connection.abandon(.timedOut)
        }
        defer { timeout.cancel() }
        for try await event in connection.events {
            if case .connected = event { return ContinuousClock.now - start }
        }
        throw MQTTError(broker: connection.endpoint.description, cause: .closed)
    }
}
