import BeaconModel
import SystemIO

/// An HTTP client based on libcurl.
///
/// It is intended for few and small requests, such as webhooks. Each request has a dedicated thread while it runs, and
/// the response is held in memory. The client follows no redirects and uses no proxy. It verifies TLS certificates
/// against the system's certificate authorities, or against those given to the client.
package struct HTTPClient: Sendable {
    private let handles: LockedValue<[CurlHandle]>
    private let authorities: String?

    /// Maximum number of handles, with their connections, kept for later requests.
    private static let keptHandles = 4

    /// - Parameter authorities: Path of a PEM file with the certificate authorities to trust instead of the system's.
    package init(authorities: String? = nil) {
        handles = LockedValue([])
        self.authorities = authorities
    }

    /// Sends a request and waits for the complete response.
    ///
    /// Cancelling the task ends the request within about a second. When the server closes a kept connection without
    /// sending any byte of a response, the request is sent again over a new connection. A request that must not take
    /// effect twice needs an identifier by which the server recognizes it.
    ///
    /// - Throws: `HTTPClient.Failure`. A response of any status is not a failure.
    package func send(_ request: Request) async throws(Failure) -> Response {
        let transfer = try Transfer(request, authorities: authorities)
        let handle = handles.withLock { $0.popLast() } ?? CurlHandle()
        guard let handle else { throw .outOfMemory }
        let result: Result<Response, Failure>
        do {
            result = try await withTaskCancellationHandler {
                try await DedicatedThread.run(name: "http") { transfer.run(on: handle) }
            } onCancel: {
                transfer.cancel()
            }
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .failed("\(error)")
        }
        // Only handles of successful requests are kept.
        if case .success = result {
            handles.withLock { if $0.count < Self.keptHandles { $0.append(handle) } }
        }
        return try result.get()
    }
}
