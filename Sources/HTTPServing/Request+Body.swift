import HTTPTypes
package import HummingbirdCore

extension Request {
    /// Whether a body follows the header (RFC 9112, section 6.3).
    package var hasBody: Bool {
        headers[.transferEncoding] != nil || headers[.contentLength].map { Int($0) != 0 } ?? false
    }
}
