/// Limits of an HTTP server, so that no client keeps others waiting or takes all memory.
package struct ServerLimits: Sendable {
    /// Maximum number of open connections. Each costs a file descriptor.
    package var connections: Int
    /// Maximum number of open connections of one client. Clients of a Unix socket cannot be told apart, and have no
    /// limit of their own.
    package var connectionsOfOne: Int
    package var headerPatience: HeaderPatience
    /// Maximum time to receive the body of a request.
    package var bodyPatience: Duration
    /// Maximum size of a request's body in bytes.
    package var largestBody: Int
    /// Maximum time to answer a request.
    package var answerPatience: Duration
    /// Maximum number of requests that are answered at once.
    package var requests: Int

    package init(
        connections: Int = 64, connectionsOfOne: Int = 16, headerPatience: HeaderPatience = HeaderPatience(),
        bodyPatience: Duration = .seconds(20), largestBody: Int = 16_384, answerPatience: Duration = .seconds(60),
        requests: Int = 16
    ) {
        self.connections = connections
        self.connectionsOfOne = connectionsOfOne
        self.headerPatience = headerPatience
        self.bodyPatience = bodyPatience
        self.largestBody = largestBody
        self.answerPatience = answerPatience
        self.requests = requests
    }
}
