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

    private mutating func note(_ code: CURLcode) {
        if code != CURLE_OK, refusal == nil { refusal = code }
    }
}
