extension HTTPClient {
    /// An HTTP request.
    public struct Request: Sendable {
        public var method: String
        /// An `http` or `https` URL.
        public var url: String
        public var headers: [Header]
        /// The content; nil for a request without one.
        public var body: [UInt8]?
        /// Time for the whole exchange, from the look-up of the host to the last byte.
        public var timeout: Duration
        /// Bytes that a response may have, header fields and content each.
        public var limit: Int
        /// Whether the response is complete with its header: its content is neither waited for nor read.
        public var ignoresContent: Bool

        public init(
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
    public struct Header: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An HTTP response.
    public struct Response: Sendable {
        /// Status code, such as 204.
        public var status: Int
        /// Header fields in the order of their arrival.
        public var headers: [Header]
        public var body: [UInt8]

        /// The value of the first header field with that name, in any case.
        public subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}
