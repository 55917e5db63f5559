import CMosquitto
import Glibc

/// The OpenSSL context of a connection. It verifies the broker's certificate and reports why it was refused.
final class TLSContext: Sendable {
    // OpenSSL counts references to its context. The verdict is written and later read by the connection's thread.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer
    private nonisolated(unsafe) let verdict: UnsafeMutablePointer<beacon_tls_verdict>

    /// Creates a context; `nil` if memory is exhausted.
    ///
    /// - Parameter host: the name or address that the certificate must be valid for.
    init?(host: String) {
        verdict = .allocate(capacity: 1)
        verdict.initialize(to: beacon_tls_verdict(host: strdup(host), was_refused: 0, reason: 0))
        guard verdict.pointee.host != nil, let pointer = beacon_tls_context(verdict) else {
            free(verdict.pointee.host)
            verdict.deallocate()
            return nil
        }
        self.pointer = pointer
    }

    deinit {
        beacon_tls_context_free(pointer)
        free(verdict.pointee.host)
        verdict.deallocate()
    }

    package struct Refusal {
        /// The reason; `nil` if the certificate is valid, but for another host.
        var text: String?
    }

    /// Why the certificate was refused; `nil` if it was not. Must only be read on the connection's thread.
    var refusal: Refusal? {
        guard verdict.pointee.was_refused != 0 else { return nil }
        let reason = verdict.pointee.reason
        let isOfAnother = [X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH].contains(reason)
        return Refusal(text: isOfAnother ? nil : String(cString: beacon_tls_reason(reason)))
    }
}
