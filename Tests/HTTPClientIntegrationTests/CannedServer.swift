import Glibc
import SystemIO
import TestSupport

/// A server that keeps each request's bytes and answers all with the same bytes.
final class CannedServer: Sendable {
    let address: String
    /// The requests so far, as they came.
    let requests = LockedValue<[String]>([])
    /// Connections so far.
    let connections = LockedValue(0)
    private let wakeup: WakeupPipe

    /// - Parameters:
    ///   - response: Bytes of a response; nil for a server that never answers.
    ///   - closes: Whether it closes the connection after a response.
    init(_ response: String?, closes: Bool = false) throws {
        let (listener, port) = try LoopbackSocket.listen()
        address = "http://127.0.0.1:\(port)"
        wakeup = try WakeupPipe()
        let (requests, connections, wakeup) = (requests, connections, wakeup)
        try DedicatedThread.start(name: "canned") {
            while Self.isReady(listener, wakeup) {
                guard let client = LoopbackSocket.accept(listener) else { continue }
                connections.withLock { $0 += 1 }
                while Self.isReady(client, wakeup), let request = Self.request(client) {
                    requests.withLock { $0.append(request) }
                    guard let response else { continue }
                    let bytes = Array(response.utf8)
                    // A client that has heard enough closes the connection.
                    guard send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count, !closes
                    else { break }
                }
                close(client)
            }
            close(listener)
        }
    }

    func end() { wakeup.wake() }

    private static func isReady(_ descriptor: CInt, _ wakeup: WakeupPipe) -> Bool {
        (try? waitUntilReady(descriptor, for: .readable, wakeup: wakeup, timeout: nil)).map { !$0.woken } ?? false
    }

    /// Reads up to the end of the header, and as many bytes of content as that says.
    private static func request(_ client: CInt) -> String? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(client, &buffer, buffer.count)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
            let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
            if text[end.upperBound...].utf8.count >= length { return text }
        }
    }
}
