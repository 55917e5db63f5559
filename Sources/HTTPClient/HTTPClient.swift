import BeaconModel
import SystemIO

/// An HTTP client over libcurl.
///
/// It serves requests of other programs that are small and few, such as webhooks: a request has a thread of its own while
/// it runs, and a response is held in memory. It follows no redirection and uses no proxy. TLS certificates are verified against the
/// system's authorities, or against those that the client is given.
package struct HTTPClient: Sendable {
    private let handles: LockedValue<[CurlHandle]>
    private let authorities: String?

    /// Connections that are kept for the next requests.
    private static let keptHandles = 4

    /// - Parameter authorities: Path of a PEM file with the certificate authorities to trust instead of the system's.
    package init(authorities: String? = nil) {
        handles = LockedValue([])
        self.authorities = authorities
    }

    /// Sends a request and waits for the whole response.
    ///
    /// Cancelling the task ends the request within about a second. A request is sent again, over a new connection, when
    /// the server closed a kept connection without a byte of an answer: what must not happen twice needs an identifier
    /// by which the server knows it.
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
