/// What the configuration says of the HTTP API.
struct APISettings: Equatable, Sendable {
    var host: String
    var port: Int
    /// Of one client address, in a minute; and of one subject.
    var requestsPerMinute: Int
    /// A proxy in front says whose request it is, by `X-Forwarded-For`.
    var isBehindProxy: Bool
}
