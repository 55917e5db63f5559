import CMosquitto

/// OpenSSL's context of a connection, which tells why a broker's certificate was refused: libmosquitto doesn't.
final class TLSContext: Sendable {
    // OpenSSL counts references to its context; the verdict is written by the connection's thread, which then reads it.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer
    private nonisolated(unsafe) let verdict: UnsafeMutablePointer<beacon_tls_verdict>

    /// `nil` when there is no memory.
    init?() {
        verdict = .allocate(capacity: 1)
        verdict.initialize(to: beacon_tls_verdict(was_refused: 0, reason: 0))
        guard let pointer = beacon_tls_context(verdict) else {
            verdict.deallocate()
            return nil
        }
        self.pointer = pointer
    }

    deinit {
        beacon_tls_context_free(pointer)
        verdict.deallocate()
    }

    struct Refusal {
        /// `nil`: the certificate is good, and of another host.
        var text: String?
    }

    /// Why the certificate was refused; `nil` if it wasn't. On the connection's thread only.
    var refusal: Refusal? {
        guard verdict.pointee.was_refused != 0 else { return nil }
        let reason = verdict.pointee.reason
        return Refusal(text: reason == X509_V_OK ? nil : String(cString: beacon_tls_reason(reason)))
    }
}
