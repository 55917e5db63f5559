import HTTPTypes

/// Answer to a client's request.
enum APIAnswer: Sendable {
    case json(HTTPResponse.Status, [UInt8])
    case page(PositivePages.Page)
    case notModified(PositivePages.Page)
    case empty
    /// A stream of server-sent events.
    case events(AsyncStream<String>)
}
