import HTTPTypes
import Hummingbird
import NIOCore

/// Answer to a client's request.
enum APIAnswer: Sendable {
    case json(HTTPResponse.Status, [UInt8])
    case page(PositivePages.Page)
    case notModified(PositivePages.Page)
    case empty
    /// A stream of server-sent events.
    case events(AsyncStream<String>)
    /// A picture in SVG.
    case picture(String)
}

extension APIAnswer: ResponseGenerator {
    func response(from request: Request, context: some RequestContext) -> Response {
        var headers = HTTPFields.ofAnswer
        switch self {
        case .json(let status, let bytes):
            headers[.contentType] = "application/json"
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .page(let page):
            headers[.cacheControl] = "public, max-age=\(page.maxAge)"
            headers[.eTag] = page.tag
            headers[.contentType] = "application/jwt"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: page.body)))
        case .notModified(let page):
            headers[.cacheControl] = "public, max-age=\(page.maxAge)"
            headers[.eTag] = page.tag
            return Response(status: .notModified, headers: headers)
        case .empty: return Response(status: .noContent, headers: headers)
        case .events(let events):
            headers[.contentType] = "text/event-stream"
            // nginx would keep the events back.
            if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
            return Response(
                status: .ok, headers: headers,
                body: .init { writer in
                    for await event in events { try await writer.write(ByteBuffer(string: event)) }
                    try await writer.finish(nil)
                })
        case .picture(let svg):
            headers[.contentType] = "image/svg+xml"
            // Opened as a page, it runs nothing and loads nothing.
            headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: svg)))
        }
    }
}

extension HTTPFields {
    /// Header of every answer that is not a public page.
    static var ofAnswer: HTTPFields {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        if let name = HTTPField.Name("X-Content-Type-Options") { headers[name] = "nosniff" }
        return headers
    }
}
