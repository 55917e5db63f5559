import HTTPServing

/// Settings of the HTTP API.
struct APISettings: Equatable, Sendable {
    var address: ListenAddress
    /// Maximum number of requests per minute, for each client address and for each subject.
    var requestsPerMinute: Int
    /// Whether a proxy names the client in `X-Forwarded-For`.
    var isBehindProxy: Bool
}
