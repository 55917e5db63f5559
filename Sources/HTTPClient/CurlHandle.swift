import CCurl

/// A handle of libcurl, with the connections that it has open.
///
/// `@unchecked`, because a handle is used by one thread at a time: it is either in the client's pool or with one transfer.
final class CurlHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init?() {
        guard Self.isReady, let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit { curl_easy_cleanup(pointer) }
}
