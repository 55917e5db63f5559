import CCurl
import SystemIO

/// One request on its way.
struct Transfer: Sendable {
    private let request: HTTPClient.Request
    private let authorities: String?
    private let isCancelled = LockedValue(false)

    /// - Throws: `invalidRequest` when a part would be read as something else by the server.
    init(_ request: HTTPClient.Request, authorities: String?) throws(HTTPClient.Failure) {
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(Self.isToken) else {
            throw .invalidRequest("method")
        }
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .invalidRequest("URL") }
        for header in request.headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isToken),
                !header.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
            else { throw .invalidRequest("header field \(header.name)") }
        }
        self.request = request
        self.authorities = authorities
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Safe to call from any thread.
    func cancel() { isCancelled.withLock { $0 = true } }

    /// Blocks until the response is there or the transfer has failed.
    func run(on handle: CurlHandle) -> Result<HTTPClient.Response, HTTPClient.Failure> {
        let curl = handle.pointer
        curl_easy_reset(curl)
        let arrival = Arrival(limit: request.limit, isCancelled: isCancelled)
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let list = headerList()
        defer { curl_slist_free_all(list) }
        let code = withExtendedLifetime(arrival) {
            reason.withUnsafeMutableBufferPointer { reason in
                (request.body ?? []).withUnsafeBytes { body in
                    configure(curl, list, body, reason.baseAddress, arrival)
                    let code = curl_easy_perform(curl)
                    // What the handle points to ends here.
                    _ = beacon_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, nil)
                    return code
                }
            }
        }
        guard code == CURLE_OK else { return .failure(failure(code, reason, arrival)) }
        return .success(
            HTTPClient.Response(
                status: beacon_curl_status(curl), headers: arrival.headers, body: arrival.body))
    }

    private func configure(
        _ curl: UnsafeMutableRawPointer, _ list: UnsafeMutablePointer<curl_slist>?, _ body: UnsafeRawBufferPointer,
        _ reason: UnsafeMutablePointer<CChar>?, _ arrival: Arrival
    ) {
        _ = request.url.withCString { beacon_curl_set_pointer(curl, CURLOPT_URL, $0) }
        _ = "http,https".withCString { beacon_curl_set_pointer(curl, CURLOPT_PROTOCOLS_STR, $0) }
        _ = authorities?.withCString { beacon_curl_set_pointer(curl, CURLOPT_CAINFO, $0) }
        if request.body != nil {
            _ = beacon_curl_set_size(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // Without a pointer libcurl would ask for the content by a callback.
            _ = "".withCString { beacon_curl_set_pointer(curl, CURLOPT_POSTFIELDS, body.baseAddress ?? .init($0)) }
        }
        if request.method == "HEAD" {
            _ = beacon_curl_set_long(curl, CURLOPT_NOBODY, 1)
        } else {
            _ = request.method.withCString { beacon_curl_set_pointer(curl, CURLOPT_CUSTOMREQUEST, $0) }
        }
        _ = beacon_curl_set_pointer(curl, CURLOPT_HTTPHEADER, list)
        _ = beacon_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, reason)
        // Signals belong to the program.
        _ = beacon_curl_set_long(curl, CURLOPT_NOSIGNAL, 1)
        let timeout = request.timeout.components
        let milliseconds = timeout.seconds * 1000 + timeout.attoseconds / 1_000_000_000_000_000
        _ = beacon_curl_set_long(curl, CURLOPT_TIMEOUT_MS, Int(max(1, milliseconds)))
        let context = Unmanaged.passUnretained(arrival).toOpaque()
        _ = beacon_curl_set_pointer(curl, CURLOPT_WRITEDATA, context)
        _ = beacon_curl_set_receive(curl, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Arrival.from(context)?.take(bytes, size * count) ?? 0
        }
        _ = beacon_curl_set_pointer(curl, CURLOPT_HEADERDATA, context)
        _ = beacon_curl_set_receive(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Arrival.from(context)?.takeHeader(bytes, size * count) ?? 0
        }
        _ = beacon_curl_set_long(curl, CURLOPT_NOPROGRESS, 0)
        _ = beacon_curl_set_pointer(curl, CURLOPT_XFERINFODATA, context)
        _ = beacon_curl_set_progress(curl) { context, _, _, _, _ in
            Arrival.from(context)?.shallGoOn == true ? 0 : 1
        }
    }

    private func headerList() -> UnsafeMutablePointer<curl_slist>? {
        // A header field without a value is one that libcurl leaves out.
        var lines = ["Expect:", "User-Agent: beacon-gateway"]
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        // A semicolon stands for an empty value.
        lines += request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        return lines.reduce(nil) { curl_slist_append($0, $1) }
    }

    private func failure(_ code: CURLcode, _ reason: [CChar], _ arrival: Arrival) -> HTTPClient.Failure {
        if arrival.isTooLarge { return .tooLarge(limit: request.limit) }
        if code == CURLE_ABORTED_BY_CALLBACK { return .cancelled }
        let own = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
        return code == CURLE_OPERATION_TIMEDOUT ? .timedOut(text) : .failed(text)
    }
}
