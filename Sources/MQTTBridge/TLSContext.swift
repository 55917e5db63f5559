import CMosquitto
import Glibc

/// OpenSSL's context of a connection, which verifies a broker's certificate and tells why it was refused.
final class TLSContext: Sendable {
    // OpenSSL counts references to its context; the verdict is written by the connection's thread, which then reads it.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer
    private nonisolated(unsafe) let verdict: UnsafeMutablePointer<beacon_tls_verdict>

    /// `nil` when there is no memory.
    ///
    /// - Parameter host: whose certificate has to be shown, a name or an address.
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
        /// `nil`: the certificate is good, and of another host.
        var text: String?
    }

    /// Why the certificate was refused; `nil` if it wasn't. On the connection's thread only.
    var refusal: Refusal? {
        guard verdict.pointee.was_refused != 0 else { return nil }
        let reason = verdict.pointee.reason
        let isOfAnother = [X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH].contains(reason)
        return Refusal(text: isOfAnother ? nil : String(cString: beacon_tls_reason(reason)))
    }
}
