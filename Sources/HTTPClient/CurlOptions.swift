import CCurl

/// Sets options of a handle and records the first error.
struct CurlOptions {
    private let handle: UnsafeMutableRawPointer
    /// First error when setting an option. The request must not be sent without the option.
    private(set) var refusal: CURLcode?

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    mutating func set(_ option: CURLoption, _ value: Int) { note(beacon_curl_set_long(handle, option, value)) }

    mutating func set(_ option: CURLoption, size: Int) {
        note(beacon_curl_set_size(handle, option, curl_off_t(size)))
    }

    /// Sets an option to a string, which libcurl copies.
    mutating func set(_ option: CURLoption, _ text: String) {
        note(text.withCString { beacon_curl_set_pointer(handle, option, $0) })
    }

    /// Sets an option that libcurl reads through a pointer. The memory must stay valid until the transfer is over.
    mutating func set(_ option: CURLoption, _ pointer: UnsafeRawPointer?) {
        note(beacon_curl_set_pointer(handle, option, pointer))
    }

    mutating func set(_ option: CURLoption, _ function: beacon_curl_receive) {
        note(beacon_curl_set_receive(handle, option, function))
    }

    mutating func setProgress(_ function: curl_xferinfo_callback) { note(beacon_curl_set_progress(handle, function)) }

    /// Sets what requests and e-mails have in common: where they go, whom they trust, and how long they take.
    ///
    /// - Parameters:
    ///   - protocols: schemes that are allowed.
    ///   - authorities: path of a PEM file with the certificate authorities to trust instead of the system's.
    ///   - timeout: time limit for all of it.
    ///   - reason: buffer of `CURL_ERROR_SIZE` for libcurl's description of a failure.
    mutating func setWay(
        to url: String, by protocols: String, authorities: String?, timeout: Duration,
        reason: UnsafeMutablePointer<CChar>?
    ) {
        set(CURLOPT_ERRORBUFFER, reason)
        set(CURLOPT_URL, url)
        set(CURLOPT_PROTOCOLS_STR, protocols)
        // They go where the configuration says; proxy variables in the environment are ignored.
        set(CURLOPT_PROXY, "")
        if let authorities {
            set(CURLOPT_CAINFO, authorities)
            set(CURLOPT_CAPATH, nil as UnsafeRawPointer?)
        }
        // The program handles signals itself.
        set(CURLOPT_NOSIGNAL, 1)
        // Do not wait for a host lookup beyond the time limit.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_TIMEOUT_MS, Self.milliseconds(timeout))
    }

    /// Returns the time in milliseconds: at least 1, because 0 means no limit, and at most the maximum that libcurl
    /// accepts.
    private static func milliseconds(_ time: Duration) -> Int {
        let (seconds, attoseconds) = time.components
        guard seconds >= 0 else { return 1 }
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        return Int(max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }

    /// Returns libcurl's description of a failure.
    ///
    /// - Parameter reason: buffer that was given to `setWay`.
    static func text(of code: CURLcode, _ reason: [CChar]) -> String {
        let own = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        return own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
    }

    private mutating func note(_ code: CURLcode) {
        if code != CURLE_OK, refusal == nil { refusal = code }
    }
}
