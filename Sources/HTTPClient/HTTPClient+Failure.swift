package import BeaconModel
import SystemIO

extension HTTPClient {
    /// The reason why there is no response.
    package enum Failure: Error, Equatable {
        /// The request is invalid and cannot be sent; the associated value names the invalid part.
        case invalidRequest(String)
        /// The transfer failed. The value is libcurl's description, such as `Could not resolve host: example.org`.
        case failed(String)
        case timedOut(String)
        /// The response has more bytes than the request allows.
        case tooLarge(limit: Int)
        case cancelled
        case outOfMemory
        case system(SystemError)
    }
}

extension HTTPClient.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidRequest(let part): "the request has an invalid \(part)"
        case .failed(let reason), .timedOut(let reason): reason
        case .tooLarge(let limit): "the response has more than \(limit) bytes"
        case .cancelled: "the request was cancelled"
        case .outOfMemory: "out of memory"
        case .system(let error): "\(error)"
        }
    }
}
