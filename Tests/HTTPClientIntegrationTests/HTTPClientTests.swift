import Glibc
import HTTPClient
import SystemIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPClientTests {
    private let client = HTTPClient()

    private func status(_ method: String, _ url: String, of client: HTTPClient = HTTPClient()) async throws -> Int {
        try await client.send(.init(method, url)).status
    }

    private func with(
        _ response: String?, closes: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ body: (CannedServer) async throws -> Void
    ) async throws {
        let server = try CannedServer(response, closes: closes)
        defer { server.end() }
        try await body(server)
    }

    @Test func `A request has its method, path, header fields and content, and no others that matter`() async throws {
        try await with("HTTP/1.1 204 No Content\r\n\r\n") { server in
            let response = try await client.send(
                .init(
                    "POST", server.address + "/notices?a=b",
                    headers: [.init("X-Signature", "s"), .init("X-Empty", "")],
                    body: Array("{}".utf8)))
            #expect(response.status == 204)
            let lines = try #require(server.requests.withLock { $0.first }).split(separator: "\r\n")
            #expect(lines.first == "POST /notices?a=b HTTP/1.1")
            #expect(lines.last == "{}")
            let names = lines.dropFirst().dropLast().compactMap { $0.split(separator: ":").first }
            #expect(names == ["Host", "Accept", "User-Agent", "X-Signature", "X-Empty", "Content-Length"])
            #expect(lines.contains("Content-Length: 2"))
        }
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "PATCH"])
    func `Every method is sent as it is named`(method: String) async throws {
        try await with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") { server in
            let status = try await self.status(method, server.address)
            #expect(status == 200)
            #expect(server.requests.withLock { $0.first?.hasPrefix("\(method) / ") } == true)
        }
    }

    @Test func `HEAD waits for no content`() async throws {
        try await with("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n") { server in
            let status = try await self.status("HEAD", server.address)
            #expect(status == 200)
        }
    }

    @Test func `A response has its status, header fields and content`() async throws {
        try await with("HTTP/1.1 404 Not Found\r\nContent-Type:  text/plain \r\nContent-Length: 5\r\n\r\nhello") {
            let response = try await client.send(.init("GET", $0.address))
            #expect(response.status == 404)
            #expect(response["content-type"] == "text/plain")
            #expect(response.body == Array("hello".utf8))
        }
    }

    @Test(arguments: ["User-Agent", "Content-Type", "expect"])
    func `A header field that the caller gives is sent once, as it is given`(name: String) async throws {
        try await with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") { server in
            _ = try await client.send(.init("POST", server.address, headers: [.init(name, "a")], body: [0x2E]))
            let lines = try #require(server.requests.withLock { $0.first }).split(separator: "\r\n")
            #expect(lines.filter { $0.lowercased().hasPrefix(name.lowercased() + ":") } == ["\(name): a"])
        }
    }

    @Test func `A value of spaces is an empty value`() async throws {
        try await with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") { server in
            _ = try await client.send(.init("GET", server.address, headers: [.init("X-A", " \t ")]))
            #expect(server.requests.withLock { $0.first?.contains("\r\nX-A:\r\n") } == true)
        }
    }

    @Test func `A status line with a colon is no header field`() async throws {
        try await with("HTTP/1.1 500 Error: no\r\nContent-Length: 0\r\n\r\n") {
            let response = try await client.send(.init("GET", $0.address))
            #expect(response.status == 500)
            #expect(response.headers.map(\.name) == ["Content-Length"])
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func `A timeout that is already over ends the request`(timeout: Duration) async throws {
        try await with(nil) { server in
            await #expect(throws: HTTPClient.Failure.self) {
                try await client.send(.init("GET", server.address, timeout: timeout))
            }
        }
    }

    @Test func `The header fields of an interim response aren't those of the response`() async throws {
        try await with(
            "HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-B: 2\r\nContent-Length: 0\r\n\r\n"
        ) {
            let response = try await client.send(.init("GET", $0.address))
            #expect(response.status == 200)
            #expect(response.headers.map(\.name) == ["X-B", "Content-Length"])
        }
    }

    @Test func `A redirection is an answer like others`() async throws {
        try await with("HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n") {
            let response = try await client.send(.init("GET", $0.address))
            #expect(response.status == 302)
            #expect(response["Location"] == "http://192.0.2.1/")
        }
    }

    @Test func `A connection is used again`() async throws {
        try await with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") { server in
            for _ in 0..<3 { _ = try await client.send(.init("GET", server.address)) }
            #expect(server.requests.withLock(\.count) == 3)
            #expect(server.connections.withLock { $0 } == 1)
        }
    }

    @Test func `A server that closed the kept connection is connected to anew`() async throws {
        try await with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", closes: true) { server in
            for _ in 0..<3 { _ = try await client.send(.init("GET", server.address)) }
            #expect(server.connections.withLock { $0 } == 3)
        }
    }

    @Test func `Content beyond the limit ends the request`() async throws {
        try await with("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 10_001), closes: true) { server in
            await #expect(throws: HTTPClient.Failure.tooLarge(limit: 10_000)) {
                try await client.send(.init("GET", server.address, limit: 10_000))
            }
        }
    }

    @Test func `A header beyond the limit ends the request`() async throws {
        let fields = (0..<200).map { "X-\($0): \(String(repeating: "x", count: 100))\r\n" }.joined()
        try await with("HTTP/1.1 200 OK\r\n\(fields)\r\n", closes: true) { server in
            await #expect(throws: HTTPClient.Failure.tooLarge(limit: 10_000)) {
                try await client.send(.init("GET", server.address, limit: 10_000))
            }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\nbeginning", "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    ])
    func `Content that nobody wants isn't waited for`(response: String) async throws {
        try await with(response) { server in
            let status = try await client.send(
                .init("POST", server.address, timeout: .seconds(3600), ignoresContent: true)
            ).status
            #expect(status == 200)
        }
    }

    @Test func `A request without content says so where content is usual`() async throws {
        try await with("HTTP/1.1 204 No Content\r\n\r\n") { server in
            _ = try await client.send(.init("POST", server.address))
            #expect(server.requests.withLock { $0.first?.contains("Content-Length: 0\r\n") } == true)
        }
    }

    @Test func `A task that was cancelled before sends nothing`() async throws {
        try await with("HTTP/1.1 204 No Content\r\n\r\n") { server in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.send(.init("POST", server.address))
            }
            await #expect(throws: HTTPClient.Failure.cancelled) { try await task.value }
            #expect(server.requests.withLock { $0 } == [])
        }
    }

    @Test func `A server that says nothing is given up after the time of the request`() async throws {
        try await with(nil) { server in
            do throws(HTTPClient.Failure) {
                _ = try await client.send(.init("GET", server.address, timeout: .milliseconds(50)))
                Issue.record("there was an answer")
            } catch {
                guard case .timedOut = error else { throw error }
            }
        }
    }

    @Test func `A cancelled task doesn't wait for the answer`() async throws {
        try await with(nil) { server in
            let task = Task { try await client.send(.init("GET", server.address, timeout: .seconds(3600))) }
            #expect(await eventually { server.requests.withLock(\.count) == 1 })
            task.cancel()
            await #expect(throws: HTTPClient.Failure.cancelled) { try await task.value }
        }
    }

    @Test func `What isn't HTTP, or nobody, is told as a failure`() async throws {
        try await with("SSH-2.0-OpenSSH_9.2\r\n", closes: true) { server in
            await #expect(throws: HTTPClient.Failure.self) { try await client.send(.init("GET", server.address)) }
        }
        let port = try LoopbackSocket.freePorts(1)[0]
        do throws(HTTPClient.Failure) {
            _ = try await client.send(.init("GET", "http://127.0.0.1:\(port)/"))
            Issue.record("there was an answer")
        } catch {
            guard case .failed(let reason) = error else { throw error }
            #expect(reason.contains("connect"), "\(reason)")
        }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "nowhere"])
    func `Nothing but http and https is asked`(url: String) async throws {
        await #expect(throws: HTTPClient.Failure.self) { try await client.send(.init("GET", url)) }
    }

    @Test(arguments: ["", "GET /", "G\r\nET"])
    func `A method that isn't a token is refused`(method: String) async throws {
        await #expect(throws: HTTPClient.Failure.invalidRequest("method")) {
            try await client.send(.init(method, "http://127.0.0.1/"))
        }
    }

    @Test(arguments: [("X", "a\r\nY: b"), ("X: a\r\nY", "b"), ("", "a"), ("X", "a\0b")])
    func `A header field can't bring others with it`(name: String, value: String) async throws {
        await #expect(throws: HTTPClient.Failure.invalidRequest("header field \(name)")) {
            try await client.send(.init("GET", "http://127.0.0.1/", headers: [.init(name, value)]))
        }
    }

    @Test func `Many requests at once each get an answer`() async throws {
        // Each keeps its connection to itself for as long as it takes: a server with one thread would be the bound.
        let servers = try (0..<20).map { try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\($0 % 10)") }
        defer { for server in servers { server.end() } }
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, server) in servers.enumerated() {
                group.addTask { [client] in
                    try await client.send(.init("GET", server.address)).body == Array("\(index % 10)".utf8)
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 20))
    }

    // MARK: TLS

    /// Runs `body` with the port of a server that shows a certificate.
    private func withTLS(
        _ pair: TestCertificates.Pair, isolation: isolated (any Actor)? = #isolation,
        _ body: (UInt16) async throws -> Void
    ) async throws {
        let port = try LoopbackSocket.freePorts(1)[0]
        let server = try ChildProcess(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", pair.certificate, "-key", pair.key, "-www"])
        #expect(await server.output.first { $0.contains("ACCEPT") } != nil)
        do {
            try await body(port)
        } catch {
            server.send(signal: SIGKILL)
            throw error
        }
        server.send(signal: SIGKILL)
        _ = await server.exitStatus()
    }

    @Test func `A certificate of the given authority is trusted, and by nobody else`() async throws {
        let certificates = try await TestCertificates()
        try await withTLS(try await certificates.server()) { port in
            let trusting = HTTPClient(authorities: certificates.authority)
            let status = try await self.status("GET", "https://localhost:\(port)/", of: trusting)
            #expect(status == 200)
            await #expect(throws: HTTPClient.Failure.self) {
                _ = try await client.send(.init("GET", "https://localhost:\(port)/"))
            }
        }
    }

    @Test func `A certificate of another host, or one that has expired, is refused`() async throws {
        let certificates = try await TestCertificates()
        let trusting = HTTPClient(authorities: certificates.authority)
        for pair in [try await certificates.otherServer(), try await certificates.expiredServer()] {
            try await withTLS(pair) { port in
                do throws(HTTPClient.Failure) {
                    _ = try await trusting.send(.init("GET", "https://localhost:\(port)/"))
                    Issue.record("it was trusted")
                } catch {
                    guard case .failed(let reason) = error else { throw error }
                    #expect(reason.contains("certificate") || reason.contains("SSL"), "\(reason)")
                }
            }
        }
    }
}
