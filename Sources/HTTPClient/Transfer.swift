import CCurl
import SystemIO

/// A request in progress.
struct Transfer: Sendable {
    private let request: HTTPClient.Request
    private let authorities: String?
    private let isCancelled = LockedValue(false)

    /// Checks and stores a request.
    ///
    /// - Throws: `invalidRequest` when the server would misinterpret a part of the request.
    init(_ request: HTTPClient.Request, authorities: String?) throws(HTTPClient.Failure) {
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(Self.isToken) else {
            throw .invalidRequest("method")
        }
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .invalidRequest("URL") }
        guard request.socket?.utf8.contains(0) != true else { throw .invalidRequest("socket") }
        for header in request.headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isToken),
                !header.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
            else { throw .invalidRequest("header field \(header.name)") }
        }
        self.request = request
        self.authorities = authorities
    }

    /// Whether a byte can be part of a token (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Cancels the transfer. Safe to call from any thread.
    func cancel() { isCancelled.withLock { $0 = true } }

    /// Performs the transfer. Blocks until it is complete or has failed.
    func run(on handle: CurlHandle) -> Result<HTTPClient.Response, HTTPClient.Failure> {
        let curl = handle.pointer
        // The handle must not keep pointers to objects that end with this function.
        defer { curl_easy_reset(curl) }
        let arrival = Arrival(limit: request.limit, ignoresContent: request.ignoresContent, isCancelled: isCancelled)
        guard arrival.goesOn else { return .failure(.cancelled) }
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard let list = headerList() else { return .failure(.outOfMemory) }
        defer { curl_slist_free_all(list) }
        let code = withExtendedLifetime(arrival) {
            reason.withUnsafeMutableBufferPointer { reason in
                (request.body ?? []).withUnsafeBytes { body in
                    var options = CurlOptions(curl)
                    configure(&options, list, body, reason.baseAddress, arrival)
                    return options.refusal ?? curl_easy_perform(curl)
                }
            }
        }
        guard code == CURLE_OK || arrival.isIgnoringContent else { return .failure(failure(code, reason, arrival)) }
        return .success(
            HTTPClient.Response(status: beacon_curl_status(curl), headers: arrival.headers, body: arrival.body))
    }

    private func configure(
        _ options: inout CurlOptions, _ list: UnsafeMutablePointer<curl_slist>, _ body: UnsafeRawBufferPointer,
        _ reason: UnsafeMutablePointer<CChar>?, _ arrival: Arrival
    ) {
        options.setWay(
            to: request.url, by: "http,https", authorities: authorities, timeout: request.timeout, reason: reason)
        if let socket = request.socket { options.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        if request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method) {
            options.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            // Without a pointer libcurl would request the content through a callback. It reads as many bytes as the
            // size states.
            options.set(CURLOPT_POSTFIELDS, body.baseAddress ?? UnsafeRawPointer(list))
        }
        if request.method == "HEAD" {
            options.set(CURLOPT_NOBODY, 1)
        } else {
            options.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        options.set(CURLOPT_HTTPHEADER, UnsafeRawPointer(list))
        let context = UnsafeRawPointer(Unmanaged.passUnretained(arrival).toOpaque())
        options.set(CURLOPT_WRITEDATA, context)
        options.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Arrival.from(context)?.take(bytes, size * count) ?? 0
        }
        options.set(CURLOPT_HEADERDATA, context)
        options.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Arrival.from(context)?.takeHeader(bytes, size * count) ?? 0
        }
        options.set(CURLOPT_NOPROGRESS, 0)
        options.set(CURLOPT_XFERINFODATA, context)
        options.setProgress { context, _, _, _, _ in Arrival.from(context)?.goesOn == true ? 0 : 1 }
    }

    /// Returns the header fields as a libcurl list, or `nil` when out of memory.
    private func headerList() -> UnsafeMutablePointer<curl_slist>? {
        let given = Set(request.headers.map { $0.name.lowercased() })
        // Header fields that libcurl adds itself. A field without a value is omitted.
        var lines = [("Expect", ""), ("User-Agent", " beacon-gateway"), ("Content-Type", "")]
            .filter { !given.contains($0.0.lowercased()) }.map { "\($0.0):\($0.1)" }
        // libcurl expects a semicolon for an empty value.
        lines += request.headers.map { header in
            header.value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(header.name);" : "\(header.name): \(header.value)"
        }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                return nil
            }
            list = longer
        }
        return list
    }

    private func failure(_ code: CURLcode, _ reason: [CChar], _ arrival: Arrival) -> HTTPClient.Failure {
        if arrival.isTooLarge { return .tooLarge(limit: request.limit) }
        if code == CURLE_ABORTED_BY_CALLBACK { return .cancelled }
        let text = CurlOptions.text(of: code, reason)
        return code == CURLE_OPERATION_TIMEDOUT ? .timedOut(text) : .failed(text)
    }
}
