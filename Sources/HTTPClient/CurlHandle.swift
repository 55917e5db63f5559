import CCurl

/// A libcurl handle with its open connections.
///
/// `@unchecked`, because a handle is used by one thread at a time: it is either in the client's pool or owned by one
/// transfer.
final class CurlHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init?() {
        guard Self.isReady, let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit { curl_easy_cleanup(pointer) }
}
