import CCurl
import SystemIO

/// The response received so far. Belongs to the thread of its transfer.
final class Arrival {
    private(set) var headers: [HTTPClient.Header] = []
    private(set) var body: [UInt8] = []
    private(set) var isTooLarge = false
    private var headerBytes = 0
    private var isFinal = false
    private var hasContent = true
    private let limit: Int
    private let ignoresContent: Bool
    private let isCancelled: LockedValue<Bool>
    /// Whether the transfer was ended on purpose after the header.
    private(set) var isIgnoringContent = false

    init(limit: Int, ignoresContent: Bool, isCancelled: LockedValue<Bool>) {
        self.limit = limit
        self.ignoresContent = ignoresContent
        self.isCancelled = isCancelled
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Arrival? {
        context.map { Unmanaged<Arrival>.fromOpaque($0).takeUnretainedValue() }
    }

    var goesOn: Bool { !isCancelled.withLock { $0 } }

    /// Appends received content.
    ///
    /// - Returns: The number of bytes taken. Any value other than `count` ends the transfer.
    func take(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, count <= limit - body.count else {
            isTooLarge = true
            return 0
        }
        body += UnsafeRawBufferPointer(start: bytes, count: count)
        return count
    }

    func takeHeader(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, count <= limit - headerBytes else {
            isTooLarge = true
            return 0
        }
        headerBytes += count
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        // Each response starts with a status line. An interim response (RFC 9110, section 15.2) is not the final
        // response.
        if line.starts(with: "HTTP/".utf8) {
            headers = []
            // `HTTP/1.1 204 No Content`
            let status = line.split(separator: 0x20).dropFirst().first ?? line[...]
            isFinal = status.first != UInt8(ascii: "1")
            hasContent = !status.starts(with: "204".utf8)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = Self.trimmed(line[(colon + 1)...])
            headers.append(HTTPClient.Header(name, value))
            if name.lowercased() == "content-length", value == "0" { hasContent = false }
        }
        // The empty line after the last header field of the final response.
        if ignoresContent, isFinal, hasContent, line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            isIgnoringContent = true
            return 0
        }
        return count
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
        let start = bytes.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(decoding: start[start.startIndex..<end], as: UTF8.self)
    }
}
