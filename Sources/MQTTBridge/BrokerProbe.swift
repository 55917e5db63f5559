import BeaconModel
import Glibc
package import Publishing
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
