extension HTTPClient {
    /// An HTTP request.
    package struct Request: Sendable {
        package var method: String
        /// An `http` or `https` URL.
        package var url: String
        package var headers: [Header]
        /// The content; nil for a request without one.
        package var body: [UInt8]?
        /// Time for the whole exchange, from the look-up of the host to the last byte.
        package var timeout: Duration
        /// Bytes that a response may have, header fields and content each.
        package var limit: Int
        /// Whether the response is complete with its header: its content is neither waited for nor read.
        package var ignoresContent: Bool

        package init(
            _ method: String = "GET", _ url: String, headers: [Header] = [], body: [UInt8]? = nil,
            timeout: Duration = .seconds(10), limit: Int = 1 << 20, ignoresContent: Bool = false
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.timeout = timeout
            self.limit = limit
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

        /// The value of the first header field with that name, in any case.
        package subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}
