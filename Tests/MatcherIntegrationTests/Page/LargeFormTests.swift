import Glibc
import Pages
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("Large forms of the page", .timeLimit(.minutes(10))) struct LargeFormTests {
    /// Begins requests with a form that never comes, until one of them is answered.
    ///
    /// - Parameter cookie: header field with the cookie of a session.
    /// - Returns: the beginning of the answer, and the connections, which are open.
    private static func firstAnswer(
        of count: Int, at port: Int, cookie: String? = nil
    ) throws -> (answer: String, descriptors: [CInt]) {
        var entries: [pollfd] = []
        let head = Array(
            ("POST /people/upload HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                + (cookie.map { "Cookie: \($0)\r\n" } ?? "")
                + "Content-Length: \(PageRoute.files)\r\n\r\n").utf8)
        for _ in 0..<count {
            let descriptor = try LoopbackSocket.connect(to: UInt16(port))
            entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            var connected = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&connected, 1, 20_000)
            _ = send(descriptor, head, head.count, CInt(MSG_NOSIGNAL))
        }
        _ = poll(&entries, nfds_t(entries.count), 60_000)
        var answer = [UInt8](repeating: 0, count: 4096)
        let answered = entries.first { $0.revents != 0 }?.fd
        let length = answered.map { read($0, &answer, answer.count) } ?? 0
        return (String(decoding: answer.prefix(max(0, length)), as: UTF8.self), entries.map(\.fd))
    }

    // A few hundred had taken two gigabytes.
    @Test func `Strangers send few at a time, and whoever may use the form sends another`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, bodyPatience: .seconds(3600)) { api in
            let port = api.port
            let most = FormRoom.ofStrangers / PageRoute.files
            let (answer, descriptors) = try await DedicatedThread.run(name: "forms") {
                Result { try Self.firstAnswer(of: most + 1, at: port) }
            }.get()
            defer { for descriptor in descriptors { close(descriptor) } }
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            let list = Array("number,name\ns1,Ann\n".utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: 100_000)
            let officer = try api.browser(.officer)
            let files = ["people": (name: "people.csv", bytes: list)]
            #expect(try await officer.upload("/people/upload", files: files).status != 503)
            // A page for officers has no more room for students than for strangers.
            let cookie = try api.browser(.student).cookie
            let student = try await DedicatedThread.run(name: "form") {
                Result { try Self.firstAnswer(of: 1, at: port, cookie: cookie) }
            }.get()
            for descriptor in student.descriptors { close(descriptor) }
            #expect(student.answer.hasPrefix("HTTP/1.1 503 "), "\(student.answer)")
        }
    }
}
