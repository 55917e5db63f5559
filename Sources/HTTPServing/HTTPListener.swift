package import HTTPTypes
package import Logging
import ServiceLifecycle

/// HTTP server that passes each request to a function, within limits.
///
/// The function gets a request when its body is complete. It is cancelled if it takes too long.
package struct HTTPListener: Service, CustomStringConvertible {
    /// A complete request.
    package struct Request: Sendable {
        package var method: HTTPRequest.Method
        /// The method as text, such as `GET`.
        package var methodName: String { method.rawValue }
        /// Path without the query, with its percent-encoding.
        package var path: String
        package var headers: HTTPFields
        package var body: [UInt8]
        /// The process at the other end of a Unix socket; `nil` if there is none.
        package var peer: PeerCredentials?

        package init(
            method: HTTPRequest.Method, path: String, headers: HTTPFields = [:], body: [UInt8] = [],
            peer: PeerCredentials? = nil
        ) {
            self.method = method
            self.path = path
            self.headers = headers
            self.body = body
            self.peer = peer
        }
    }

    package struct Response: Equatable, Sendable {
        package var status: HTTPResponse.Status
        package var headers: HTTPFields
        package var body: [UInt8]

        /// - Parameter code: the status, such as 404.
        package init(code: Int, type: String? = nil, body: [UInt8] = []) {
            self.init(HTTPResponse.Status(code: code), type: type, body: body)
        }

        package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], type: String? = nil, body: [UInt8] = [])
        {
            self.status = status
            self.headers = headers
            if let type { self.headers[.contentType] = type }
            self.body = body
        }

        /// Returns a response that is a line of text.
        package static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
            Response(status, type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
        }
    }

    /// Name in the log, such as `metrics`.
    package var name: String
    package var address: ListenAddress
    /// Key of the configuration that has the address, for errors.
    package var setting: String
    package var limits: ServerLimits
    package var logger: Logger
    /// Called once, with the port that the system assigned; with 0 for a Unix socket.
    package var listening: @Sendable (Int) -> Void
    package var handler: @Sendable (Request) async -> Response

    package init(
        name: String, address: ListenAddress, setting: String, limits: ServerLimits = ServerLimits(), logger: Logger,
        listening: @escaping @Sendable (Int) -> Void = { _ in },
        handler: @escaping @Sendable (Request) async -> Response
    ) {
        self.name = name
        self.address = address
        self.setting = setting
        self.limits = limits
        self.logger = logger
        self.listening = listening
        self.handler = handler
    }

    package var description: String { "\(name) listener" }

    /// - Throws: `ListenError`.
    package func run() async throws {
        try await BoundedServer(
            name: name, address: address, setting: setting, limits: limits,
            responder: ListenerResponder(limits: limits, handler: handler), logger: logger, listening: listening
        ).run()
    }
}
