import Glibc
import SystemIO

/// Tries whether a broker is there and takes this gateway, without disturbing a gateway that is connected.
public enum BrokerProbe {
    /// Connects under a client identifier of its own, because a second session with the gateway's would end the first,
    /// and says good-bye.
    ///
    /// - Returns: how long it took until the broker accepted.
    /// - Throws: `MQTTError`; with `ETIMEDOUT` after `limit`.
    public static func connect(_ configuration: BrokerConfiguration, within limit: Duration) async throws(MQTTError)
        -> Duration
    {
        let broker = "\(configuration.preferred)"
        do {
            return try await attempt(configuration, within: limit)
        } catch let error as MQTTError {
            throw error
        } catch let error as SystemError {
            throw MQTTError(broker: broker, cause: .system(error.errorNumber))
        } catch {
            throw MQTTError(broker: broker, cause: .system(ECANCELED))
        }
    }

    private static func attempt(
        _ configuration: BrokerConfiguration, within limit: Duration
    ) async throws -> Duration {
        var configuration = configuration
        configuration.clientID += "_doctor"
        let connection = try MQTTConnection(configuration: configuration, will: nil)
        let start = ContinuousClock.now
        try connection.start()
        defer { connection.disconnect() }
        let timeout = Task {
            try await Task.sleep(for: limit)
            connection.abandon()
        }
        defer { timeout.cancel() }
        for try await event in connection.events {
            if case .connected = event { return ContinuousClock.now - start }
        }
        throw MQTTError(broker: "\(configuration.preferred)", cause: .system(ETIMEDOUT))
    }
}
