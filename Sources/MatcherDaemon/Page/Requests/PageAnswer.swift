import HTTPTypes
import Hummingbird
import NIOCore
import Pages

/// Answer of the page to a request.
struct PageAnswer: Sendable {
    enum Content: Sendable {
        case html(HTTPResponse.Status, String)
        /// Redirection to a path of the page, or to the identity provider.
        case redirect(String)
        case asset(PageAsset)
        case notModified(PageAsset)
        /// Text that browsers ask for at a path of its own.
        case text(String, contentType: String)
        /// Table for spreadsheets, under a file name.
        case table(name: String, csv: String)
        /// Text for programs, under a file name.
        case file(name: String, text: String)
        /// Picture that somebody uploaded.
        case picture(kind: String, tag: String, bytes: [UInt8])
        /// Picture of a test result, which browsers do not keep.
        case privatePicture(type: String, bytes: [UInt8])
        /// Stream of server-sent events. Each is sent as `preparing` returns it.
        case events(AsyncStream<String>, preparing: @Sendable (String) async -> String = { $0 })
    }

    var content: Content
    /// Values of `Set-Cookie`.
    var cookies: [String] = []
    /// Seconds after which the client can try again; `nil` if that is not known.
    var retryAfter: Int64?
    /// The method that the path takes, of an answer to another one.
    var allowed: String?

    static func html(_ html: String, status: HTTPResponse.Status = .ok) -> Self { Self(content: .html(status, html)) }

    /// Returns the answer with the seconds after which the client can try again.
    func retrying(after seconds: Int64) -> Self {
        var answer = self
        answer.retryAfter = seconds
        return answer
    }

    static func redirect(_ location: String, cookies: [String] = []) -> Self {
        Self(content: .redirect(location), cookies: cookies)
    }

    var response: Response {
        var headers = PageHeaders.fields
        for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
        if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        if let allowed { headers[.allow] = allowed }
        switch content {
        case .html(let status, let html):
            headers[.contentType] = "text/html; charset=utf-8"
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
        case .redirect(let location):
            headers[.location] = location
            return Response(status: .seeOther, headers: headers)
        case .asset(let asset):
            headers[.contentType] = asset.contentType
            headers[.cacheControl] = PageHeaders.assetCaching
            headers[.eTag] = "\"\(asset.version)\""
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: asset.bytes)))
        case .notModified(let asset):
            headers[.cacheControl] = PageHeaders.assetCaching
            headers[.eTag] = "\"\(asset.version)\""
            return Response(status: .notModified, headers: headers)
        case .text(let text, let contentType):
            headers[.contentType] = contentType
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
        case .table(let name, let csv):
            headers[.contentType] = "text/csv; charset=utf-8"
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            // Without a byte order mark, spreadsheets take UTF-8 for another encoding.
            let bytes = ByteBuffer(string: "\u{FEFF}" + csv)
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: bytes))
        case .file(let name, let text):
            headers[.contentType] = "text/plain; charset=utf-8"
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
        case .picture(let kind, let tag, let bytes):
            headers[.contentType] = kind
            headers[.contentSecurityPolicy] = PageHeaders.policyOfUploads
            headers[.cacheControl] = "private, no-cache"
            headers[.eTag] = "\"\(tag)\""
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .privatePicture(let type, let bytes):
            headers[.contentType] = type
            headers[.contentSecurityPolicy] = PageHeaders.policyOfUploads
            if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[name] = "same-origin" }
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .events(let events, let prepare):
            headers[.contentType] = "text/event-stream"
            // nginx would keep the events back.
            if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
            return Response(
                status: .ok, headers: headers,
                body: .init { writer in
                    for await event in events { try await writer.write(ByteBuffer(string: await prepare(event))) }
                    try await writer.finish(nil)
                })
        }
    }
}

/// Header fields of every answer of the page.
enum PageHeaders {
    static let assetCaching = "public, max-age=31536000, immutable"

    /// Nothing is loaded from elsewhere, and nothing within a page is a script or a style.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    /// Policy of what somebody uploaded: whatever it is, it does nothing.
    static let policyOfUploads = "default-src 'none'; frame-ancestors 'none'; sandbox"

    static var fields: HTTPFields {
        var headers = HTTPFields.ofAnswer
        headers[.contentSecurityPolicy] = policy
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}
