extension HTTPClient {
    /// An HTTP request.
    package struct Request: Sendable {
        package var method: String
        /// An `http` or `https` URL.
        package var url: String
        package var headers: [Header]
        /// Content; `nil` for a request without content.
        package var body: [UInt8]?
        /// Time limit for the whole exchange, from the host lookup to the last byte.
        package var timeout: Duration
        /// Maximum number of bytes in a response, separately for header fields and content.
        package var limit: Int
        /// Path of a Unix socket to connect to, instead of the host in the URL.
        package var socket: String?
        /// Whether the response is complete after its header. Its content is neither awaited nor read.
        package var ignoresContent: Bool

        package init(
            _ method: String = "GET", _ url: String, headers: [Header] = [], body: [UInt8]? = nil,
            timeout: Duration = .seconds(10), limit: Int = 1 << 20, socket: String? = nil, ignoresContent: Bool = false
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.timeout = timeout
            self.limit = limit
            self.socket = socket
            self.ignoresContent = ignoresContent
        }
    }

    /// A header field of a request or a response.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An HTTP response.
    package struct Response: Sendable {
        /// Status code, such as 204.
        package var status: Int
        /// Header fields in the order of their arrival.
        package var headers: [Header]
        package var body: [UInt8]

        /// Returns the value of the first header field with the name, ignoring case.
        package subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}
