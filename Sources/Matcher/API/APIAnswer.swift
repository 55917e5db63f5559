import HTTPTypes

/// What a client is answered.
enum APIAnswer: Sendable {
    case json(HTTPResponse.Status, [UInt8])
    case page(PositivePages.Page)
    case notModified(PositivePages.Page)
    case empty
    /// As server-sent events.
    case events(AsyncStream<String>)
}
