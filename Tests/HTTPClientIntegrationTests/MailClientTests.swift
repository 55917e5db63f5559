import HTTPClient
import SystemIO
import TestSupport
import Testing

@Suite("Client of a mail server", .timeLimit(.minutes(10))) struct MailClientTests {
    private let message = "Subject: x\r\n\r\n.a line with a full stop\r\nend\r\n"

    private func send(
        to url: String, needsTLS: Bool = false, login: (user: String, password: String)? = nil,
        recipient: String = "ann@campus.example", timeout: Duration = .seconds(20)
    ) async throws(MailClient.Failure) {
        try await MailClient().send(
            MailClient.Delivery(
                url: url, needsTLS: needsTLS, login: login, sender: "health@campus.example", recipient: recipient,
                message: Array(message.utf8), timeout: timeout))
    }

    /// Returns the failure of a delivery; `nil` if it was taken.
    private func failure(_ body: () async throws(MailClient.Failure) -> Void) async -> MailClient.Failure? {
        do throws(MailClient.Failure) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("A message arrives with its envelope, and lines with a full stop stay as they are") func arrives()
        async throws
    {
        let server = try TestMailServer()
        defer { server.end() }
        try await send(to: server.url)
        let expected = TestMailServer.Mail(
            sender: "health@campus.example", recipient: "ann@campus.example",
            lines: ["Subject: x", "", ".a line with a full stop", "end"], isSignedIn: false)
        #expect(server.mails.withLock { $0 } == [expected])
    }

    @Test("A server that asks for it gets name and password") func login() async throws {
        // NUL, u, NUL, pw
        let server = try TestMailServer(login: "AHUAcHc=")
        defer { server.end() }
        try await send(to: server.url, login: (user: "u", password: "pw"))
        #expect(server.mails.withLock { $0.map(\.isSignedIn) } == [true])
        let wrong = await failure { () async throws(MailClient.Failure) in
            try await send(to: server.url, login: (user: "u", password: "other"))
        }
        #expect(wrong == .refused(.connection, code: 535, text: "535 5.7.8 wrong password"))
        #expect(server.mails.withLock { $0.count } == 1)
    }

    @Test(
        "A refusal says at which part of the dialogue, with the server's answer",
        arguments: [
            ("GREETING", "554 go away", MailClient.Stage.connection), ("MAIL", "451 later", .connection),
            ("MAIL", "550 5.7.1 not your address", .connection), ("MAIL", "552 5.3.4 too large", .envelope),
            ("RCPT", "550 5.1.1 unknown", .envelope), ("DATA", "451 no space", .envelope),
            ("END", "552 too large", .content), ("END", "451 later", .content),
        ] as [(String, String, MailClient.Stage)])
    func refusals(verb: String, answer: String, stage: MailClient.Stage) async throws {
        let server = try TestMailServer(answers: [verb: [answer]])
        defer { server.end() }
        let code = try #require(Int(answer.prefix(3)))
        let found = await failure { () async throws(MailClient.Failure) in try await send(to: server.url) }
        #expect(found == .refused(stage, code: code, text: answer))
        #expect(server.mails.withLock { $0.isEmpty })
    }

    @Test("Without the TLS that is needed nothing is sent, not even the password") func noTLS() async throws {
        let server = try TestMailServer(login: "AHUAcHc=")
        defer { server.end() }
        let found = await failure { () async throws(MailClient.Failure) in
            try await send(to: server.url, needsTLS: true, login: (user: "u", password: "pw"))
        }
        guard case .failed? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(server.commands.withLock { $0.allSatisfy { $0.hasPrefix("EHLO") || $0.hasPrefix("QUIT") } })
    }

    @Test("A server that is down is a failure") func down() async throws {
        let port = try #require(try LoopbackSocket.freePorts(1).first)
        let found = await failure { () async throws(MailClient.Failure) in
            try await send(to: "smtp://127.0.0.1:\(port)")
        }
        guard case .failed? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test(
        "An address with a part of another command is not tried",
        arguments: ["a@b.example>\r\nRCPT TO:<c@d.example", "a@b.example> SIZE=1", "", "a b@c.example", "ä@b.example"])
    func injection(address: String) async throws {
        let server = try TestMailServer()
        defer { server.end() }
        let found = await failure { () async throws(MailClient.Failure) in
            try await send(to: server.url, recipient: address)
        }
        #expect(found == .invalidDelivery("recipient"))
        #expect(server.commands.withLock { $0.isEmpty })
    }
}
