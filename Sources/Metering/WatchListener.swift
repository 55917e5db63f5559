package import Exposition
package import HTTPServing
package import Logging

extension WatchEndpoint {
    /// Returns the service that answers at the configured address. If the address cannot be used, the program works
    /// without it.
    ///
    /// - Parameter listening: called with the port that the system assigned.
    package func listener(
        _ settings: MetricsSettings, logger: Logger, listening: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> RetriedListener {
        RetriedListener(
            HTTPListener(
                name: "metrics", address: .host(settings.host, port: settings.port), setting: "metrics.listen",
                limits: ServerLimits(connections: 32, connectionsOfOne: 16, largestBody: 0, requests: 8),
                logger: logger, listening: listening, handler: answer))
    }
}
