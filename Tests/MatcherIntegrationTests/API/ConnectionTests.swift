import Glibc
import HTTPServing
import NIOCore
import SystemIO
import TestSupport
import Testing

@testable import BeaconModel
@testable import MatcherDaemon

@Suite("Connections to the API", .timeLimit(.minutes(10))) struct ConnectionTests {
    /// A connection from an address of this machine.
    private static func connect(to port: Int, from address: String) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        func name(_ host: String, _ port: UInt16) -> sockaddr_in {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &name.sin_addr)
            return name
        }
        func call(_ name: sockaddr_in, _ body: (UnsafePointer<sockaddr>) -> CInt) -> CInt {
            withUnsafePointer(to: name) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
        }
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard call(name(address, 0), { bind(descriptor, $0, size) }) == 0,
            call(name("127.0.0.1", UInt16(port)), { Glibc.connect(descriptor, $0, size) }) == 0
        else { throw SystemError("connect", errorNumber: errno) }
        return descriptor
    }

    private static func send(_ text: String, on descriptor: CInt) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    }

    /// What comes until the server closes, or has sent something.
    private static func read(_ descriptor: CInt, patience: Int32 = 20_000) -> String? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, patience) > 0 else { return nil }
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &part, part.count)
        return count <= 0 ? "" : String(decoding: part[..<count], as: UTF8.self)
    }

    /// All that comes until the server closes.
    private static func readToEnd(_ descriptor: CInt) -> String {
        var text = ""
        while let part = read(descriptor), !part.isEmpty { text += part }
        return text
    }

    /// Sends something on a connection of its own, and reads until that is closed.
    private static func exchange(_ text: String, at port: Int) async throws -> String {
        try await onThread {
            let descriptor = try connect(to: port, from: "127.0.0.1")
            defer { close(descriptor) }
            send(text, on: descriptor)
            return readToEnd(descriptor)
        }
    }

    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await DedicatedThread.run(name: "connections") { Result { try body() } }.get()
    }

    // Three hundred of them had kept everybody out for 100 s.
    @Test func `Half-sent headers from one address keep nobody else out`() async throws {
        try await TestAPI.with(headerPatience: HeaderPatience(first: .hours(1), next: .hours(1))) { api in
            let port = api.port
            let (answer, kept) = try await Self.onThread {
                var attackers: [CInt] = []
                defer { for descriptor in attackers { close(descriptor) } }
                for _ in 0..<300 {
                    let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                    attackers.append(descriptor)
                    Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\nX-Half: ", on: descriptor)
                }
                let other = try Self.connect(to: port, from: "127.0.0.2")
                defer { close(other) }
                Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", on: other)
                let answer = Self.read(other)
                // Those beyond the limit are closed, some of them only after the answer; the others wait.
                var kept = attackers
                for _ in 0..<100 where kept.count > APIServer.mostOfOneClient {
                    kept.removeAll { Self.read($0, patience: 1) == "" }
                }
                return (answer, kept.count)
            }
            #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true, "\(answer ?? "nothing")")
            #expect(kept <= APIServer.mostOfOneClient)
        }
    }

    @Test func `A header that comes byte by byte is given up, however busy it looks`() async throws {
        let patience = HeaderPatience(first: .milliseconds(300), next: .milliseconds(300))
        try await TestAPI.with(headerPatience: patience) { api in
            let port = api.port
            let isClosed = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\nX: ", on: descriptor)
                for _ in 0..<2000 {
                    Self.send("x", on: descriptor)
                    if Self.read(descriptor, patience: 10) == "" { return true }
                }
                return false
            }
            #expect(isClosed)
            // Whoever asks again in time keeps the connection.
            let answers = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                return (0..<3).map { _ in
                    Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", on: descriptor)
                    return Self.read(descriptor)?.prefix(12) ?? ""
                }
            }
            #expect(answers == ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 200"])
        }
    }

    // Each of four addresses keeps to its limit, and together they had filled the server.
    @Test(arguments: [false, true])
    func `A server that is full takes whoever comes, at the cost of those who fill it`(
        isBehindProxy: Bool
    ) async throws {
        let patience = HeaderPatience(first: .hours(1), next: .hours(1))
        try await TestAPI.with(headerPatience: patience, isBehindProxy: isBehindProxy, mostConnections: 40) { api in
            let port = api.port
            let (answers, open) = try await Self.onThread {
                var attackers: [CInt] = []
                defer { for descriptor in attackers { close(descriptor) } }
                for index in 0..<40 {
                    let descriptor = try Self.connect(to: port, from: "127.0.0.\(2 + index % 4)")
                    attackers.append(descriptor)
                    Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\nX-Half: ", on: descriptor)
                }
                let other = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(other) }
                let answers = (0..<3).map { _ in
                    Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", on: other)
                    return Self.read(other, patience: 10_000)?.prefix(12) ?? "nothing"
                }
                var open = attackers.count
                // The end of the one that had to go may come after the answer.
                for _ in 0..<100 where open != 39 {
                    open = attackers.count { Self.read($0, patience: 1) == nil }
                }
                return (answers, open)
            }
            #expect(answers == ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 200"])
            #expect(open == 39)
        }
    }

    @Test func `A header after the first has as little time, and an idle connection has more`() async throws {
        let patience = HeaderPatience(first: .milliseconds(300), next: .hours(1))
        try await TestAPI.with(headerPatience: patience) { api in
            let port = api.port
            let (answers, isClosed) = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                var answers: [Substring] = []
                for _ in 0..<2 {
                    Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", on: descriptor)
                    answers.append(Self.read(descriptor)?.prefix(12) ?? "nothing")
                    // Longer than a header may take.
                    if let more = Self.read(descriptor, patience: 600) { answers.append("then \(more)") }
                }
                Self.send("GET /v1/keys HTTP/1.1\r\nHost: a\r\nX: ", on: descriptor)
                return (answers, Self.read(descriptor) == "")
            }
            #expect(answers == ["HTTP/1.1 200", "HTTP/1.1 200"])
            #expect(isClosed)
        }
    }

    // What a proxy might take for one request, and a server behind it for two.
    @Test(arguments: [
        "Content-Length: 45\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 45\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
        "Content-Length: 0, 40\r\n\r\n", "Content-Length: +0\r\n\r\n", "Content-Length: 0x0\r\n\r\n",
        "Content-Length : 0\r\n\r\n", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n",
    ])
    func `A request whose end can be read in two ways is the last of its connection`(end: String) async throws {
        try await TestAPI.with { api in
            let port = api.port
            let answer = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                Self.send(
                    "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(end)"
                        + "GET /v1/keys HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n", on: descriptor)
                var text = ""
                while let part = Self.read(descriptor, patience: 2000), !part.isEmpty { text += part }
                return text
            }
            #expect(answer.components("HTTP/1.1 ") <= 1, "\(answer)")
            #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        }
    }

    @Test(arguments: [
        "", "Host: a\r\nHost: b\r\n", "Host: a\r\nHost: a\r\n", "Host:\r\n", "Host: a b\r\n", "Host: a/b\r\n",
        "Host: x@a\r\n", "Host: a, b\r\n", "Host: a:http\r\n",
    ])
    func `A request that doesn't name one host is refused, and what is behind it isn't read`(
        fields: String
    ) async throws {
        try await TestAPI.with { api in
            let answer = try await Self.exchange(
                "GET /v1/keys HTTP/1.1\r\n\(fields)\r\nGET /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", at: api.port)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(answer.components("HTTP/1.1 ") == 1, "\(answer)")
        }
    }

    // A proxy had taken it for the beginning of what it asked next on that connection.
    @Test(arguments: ["/v1/keys", "/v1/nothing"])
    func `An answer to HEAD has a header only, and the next answer follows at once`(path: String) async throws {
        try await TestAPI.with { api in
            let answer = try await Self.exchange(
                "HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                at: api.port)
            #expect(answer.components("\r\n\r\nHTTP/1.1 404 ") == 1, "\(answer)")
            #expect(answer.lowercased().contains("\r\nallow: get\r\n") == (path == "/v1/keys"), "\(answer)")
        }
    }

    @Test func `An answer to HEAD that ends the connection has no body either`() async throws {
        try await TestAPI.with { api in
            let answer = try await Self.exchange(
                "HEAD /v1/keys HTTP/1.1\r\n\r\n", at: api.port)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    @Test func `A large body costs as much as several requests`() async throws {
        try await TestAPI.with(requestsPerMinute: 20) { api in
            let body = "{\"subjects\":[\(String(repeating: " ", count: 9 * BodyMiddleware.bytesPerRequest))]}"
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await api.post("/v1/reports", body).status) }
            // One and nine are gone, and of the rest ten more aren't there a third time.
            #expect(statuses == [422, 422, 429])
        }
    }

    // 360 of a megabyte that never ended had taken half a gigabyte, again and again, and cost nothing.
    @Test(arguments: ["Content-Length: 400000", "Transfer-Encoding: chunked"])
    func `A large body is paid for before it is read`(field: String) async throws {
        try await TestAPI.with(requestsPerMinute: 1, bodyPatience: .milliseconds(300)) { api in
            let port = api.port
            let answer = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                Self.send(
                    "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(field)\r\n\r\n",
                    on: descriptor)
                return Self.read(descriptor)
            }
            #expect(answer?.hasPrefix("HTTP/1.1 429 ") == true, "\(answer ?? "nothing")")
        }
    }

    // Sixteen connections of one address with chunks of one byte had kept everybody out, at the price of a request each.
    @Test(arguments: [
        ("GET /v1/keys", 413), ("DELETE /v1/reports", 405), ("GET /nothing", 404), ("POST /v1/reports", nil),
    ])
    func `A body that is never read, or comes in crumbs, ends the connection`(request: String, status: Int?)
        async throws
    {
        try await TestAPI.with(bodyPatience: .seconds(3600)) { api in
            let port = api.port
            let (text, isClosed) = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                Self.send(
                    "\(request) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
                    on: descriptor)
                var text = ""
                for _ in 0..<1000 {
                    Self.send(String(repeating: "1\r\n \r\n", count: 100), on: descriptor)
                    guard let part = Self.read(descriptor, patience: 1) else { continue }
                    if part.isEmpty { return (text, true) }
                    text += part
                }
                // A busy server has not read them yet. It closes the connection without getting more.
                for _ in 0..<60 {
                    guard let part = Self.read(descriptor, patience: 1000) else { continue }
                    if part.isEmpty { return (text, true) }
                    text += part
                }
                return (text, false)
            }
            #expect(isClosed)
            // A connection that is closed with something unread may be reset before the answer was read.
            if let status {
                #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
            } else {
                #expect(text.isEmpty)
            }
        }
    }

    // Behind it the next request, of whomever, had never been answered.
    @Test(arguments: [("GET /v1/keys", 200), ("CONNECT a:80", 404)])
    func `An upgrade is ignored, and ends the connection`(request: String, status: Int) async throws {
        try await TestAPI.with { api in
            let answer = try await Self.exchange(
                "\(request) HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", at: api.port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        }
    }

    @Test func `Chunks of a hundred bytes are read like any body`() async throws {
        try await TestAPI.with { api in
            let port = api.port
            let answer = try await Self.onThread {
                let descriptor = try Self.connect(to: port, from: "127.0.0.1")
                defer { close(descriptor) }
                let chunk = "64\r\n" + String(repeating: " ", count: 100) + "\r\n"
                Self.send(
                    "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + String(repeating: chunk, count: 5000) + "e\r\n{\"subjects\":[]\r\n1\r\n}\r\n0\r\n\r\n",
                    on: descriptor)
                return Self.read(descriptor)
            }
            #expect(answer?.hasPrefix("HTTP/1.1 422 ") == true, "\(answer ?? "nothing")")
        }
    }

    @Test(arguments: ["/v1/occupancy?room=101", "/v1/attendance?course=a&course=b"])
    func `A question that isn't understood isn't answered`(path: String) async throws {
        try await TestAPI.with { api in
            let answer = try await api.get(path, secret: TestAPI.operatorToken)
            #expect(answer.status == 422)
        }
    }

    @Test(arguments: ["/v1/phones", "/v1/commitments", "/v1/check-ins", "/v1/codes/exchange"])
    func `What needs little takes little`(path: String) async throws {
        try await TestAPI.with { api in
            let body = "{\(String(repeating: " ", count: 4096))}"
            let answer = try await api.post(path, body)
            #expect(answer.status == 413)
        }
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
