import CommandSupport
import InteractionStore
import Matching
import People
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("E-mails to people who were exposed", .timeLimit(.minutes(10))) struct MailServiceTests {
    /// Runs `body` with a mail server, and with Ben who was exposed.
    private func with(
        answers: [String: [String]] = [:], login: String? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (TestAPI, TestMailServer) async throws -> Void
    ) async throws {
        let server = try TestMailServer(answers: answers, login: login)
        defer { server.end() }
        try await TestAPI.with { api in
            _ = try await api.exposeBen()
            try await body(api, server)
        }
    }

    private func pass(_ seconds: Int64, _ api: TestAPI) { api.clock.withLock { $0 += seconds } }

    @Test("An e-mail arrives with the right envelope, and says days and no place") func arrives() async throws {
        try await with { api, server in
            try api.orderMail()
            let service = try api.mailService(server.url)
            var progress = MailService.Progress()
            for _ in 0..<2 { try await service.work(&progress) }
            let mails = server.mails.withLock { $0 }
            #expect(mails.count == 1)
            let mail = try #require(mails.first)
            #expect(mail.sender == "health@campus.example" && mail.recipient == "ben@campus.example")
            #expect(mail.lines.contains("Subject: Notice from Health office"))
            #expect(mail.lines.contains("To: =?utf-8?Q?Ben_M=C3=BCller?="))
            let body = mail.body.joined(separator: "\n")
            #expect(body.hasPrefix("Dear Ben M=C3=BCller,"))
            #expect(body.contains("- Mon 2026-11-02"))
            for place in ["101", "campus/main", "east", "Hall"] { #expect(!body.contains(place), "\(place)") }
            let stored = try #require(try api.mail())
            #expect(stored.state == .sent && stored.tries == 1 && stored.sent == morning + 4 * 3600)
        }
    }

    @Test("What the server may take later is tried again with the same identifier") func later() async throws {
        try await with(answers: ["RCPT": ["451 4.7.1 greylisted"], "END": ["452 no space"]]) { api, server in
            try api.orderMail()
            let service = try api.mailService(server.url)
            var progress = MailService.Progress()
            try await service.work(&progress)
            #expect(try api.mail()?.error == "451 4.7.1 greylisted")
            try await service.work(&progress)
            #expect(try api.mail()?.tries == 1)
            pass(60, api)
            try await service.work(&progress)
            #expect(try api.mail()?.error == "452 no space")
            pass(120, api)
            try await service.work(&progress)
            let stored = try #require(try api.mail())
            #expect(stored.state == .sent && stored.tries == 3 && stored.error == "")
            #expect(server.mails.withLock { $0.count } == 1)
        }
    }

    @Test("What the server will never take is given up at once, and keeps no other waiting") func refused() async throws
    {
        try await with(answers: ["RCPT": ["550 5.1.1 no such person"]]) { api, server in
            try api.orderMail()
            let service = try api.mailService(server.url)
            var progress = MailService.Progress()
            try await service.work(&progress)
            let stored = try #require(try api.mail())
            #expect(stored.state == .failed && stored.error == "550 5.1.1 no such person" && stored.sent == nil)
            try api.orderMail()
            try await service.work(&progress)
            #expect(try api.mail()?.state == .sent)
        }
    }

    @Test("A wrong password concerns all e-mails, which wait") func password() async throws {
        // NUL, u, NUL, pw
        try await with(login: "AHUAcHc=") { api, server in
            try api.orderMail()
            var progress = MailService.Progress()
            try await api.mailService(server.url, password: "other").work(&progress)
            let waiting = try #require(try api.mail())
            #expect(waiting.state == .queued && waiting.error == "535 5.7.8 wrong password")
            #expect(progress.complaint == "535 5.7.8 wrong password" && progress.next == morning + 4 * 3600 + 60)
            // Until then the server is left alone.
            let count = server.commands.withLock { $0.count }
            try await api.mailService(server.url, password: "other").work(&progress)
            #expect(server.commands.withLock { $0.count } == count)
            pass(60, api)
            try await api.mailService(server.url, password: "pw\n").work(&progress)
            #expect(server.mails.withLock { $0.map(\.isSignedIn) } == [true])
            #expect(progress.complaint == nil)
        }
    }

    @Test("The log has nobody's address") func log() {
        let answer = "421 4.3.0 <ben@campus.example>: try later"
        #expect(MailService.withoutAddresses(answer) == "421 4.3.0 (address) try later")
    }

    @Test("While the server is down e-mails wait, for three days") func down() async throws {
        try await TestAPI.with { api in
            _ = try await api.exposeBen()
            try api.orderMail()
            let port = try #require(try LoopbackSocket.freePorts(1).first)
            let service = try api.mailService("smtp://127.0.0.1:\(port)")
            var progress = MailService.Progress()
            try await service.work(&progress)
            let waiting = try #require(try api.mail())
            #expect(waiting.state == .queued && !waiting.error.isEmpty)
            pass(3 * 86_400, api)
            try await service.work(&progress)
            let failed = try #require(try api.mail())
            #expect(failed.state == .failed && failed.error == waiting.error)
        }
    }

    @Test("A program that crashed while it sent tries again at the next turn, with the same identifier")
    func crash() async throws {
        try await with { api, server in
            try api.orderMail()
            let service = try api.mailService(server.url)
            let now = api.clock.withLock { $0 }
            let (mail, letter) = try api.store.use { store in
                let mail = try #require(try store.dueMail(now: now, limit: 1).first)
                #expect(try store.beginMail(mail, to: mail.address, next: now + 60))
                let person = try #require(try store.person(number: "s2"))
                return (
                    mail,
                    try NoticeLetter(
                        to: person, telling: service.matching.current.telling, service.configuration.current, now: now,
                        in: store)
                )
            }
            let recipient = Mailbox(name: "Ben", address: try #require(MailAddress(mail.address)))
            // The program ends after the server has taken the e-mail, and before that is noted.
            let answer = await service.mailer.send(
                try #require(letter), to: recipient, identifier: mail.identifier, now: now)
            #expect(answer == .taken)
            var progress = MailService.Progress()
            try await service.work(&progress)
            #expect(server.mails.withLock { $0.count } == 1)
            pass(60, api)
            try await service.work(&progress)
            let identifiers = server.mails.withLock { mails in
                mails.map { mail in mail.lines.first { $0.hasPrefix("Message-ID: ") } }
            }
            #expect(identifiers.count == 2 && Set(identifiers).count == 1)
        }
    }

    @Test("An e-mail whose exposures are withdrawn, or whose person is gone, is not sent") func gone() async throws {
        try await with { api, server in
            try api.orderMail()
            let filed = try api.store.use { try $0.reportList(waiting: false, before: nil, limit: 1) }
            try api.decide(.withdrawn, try #require(filed.first).report.reference, by: "Olga Officer")
            try api.match()
            var progress = MailService.Progress()
            try await api.mailService(server.url).work(&progress)
            let stored = try #require(try api.mail())
            #expect(stored.state == .failed && stored.error == "there is nothing to tell any more")
            try api.orderMail()
            _ = try api.store.use { try $0.removePerson(number: "s2") }
            try await api.mailService(server.url).work(&progress)
            #expect(try api.mail() == nil)
            #expect(server.mails.withLock { $0.isEmpty })
        }
    }

    @Test("Whoever wants e-mails gets one when there is news, and no second one for the same") func want() async throws
    {
        let server = try TestMailServer()
        defer { server.end() }
        try await TestAPI.with { api in
            let ben = try await api.newPhone()
            let person = Person(number: "s2", name: "Ben", contact: ["ben@campus.example"], subjects: [ben.identity])
            let now = api.clock.withLock { $0 }
            try api.store.use { store in
                _ = try store.importPeople([person], keepsOthers: false, isTrial: false)
                _ = try store.setWantsMail(true, number: "s2", now: now)
            }
            let service = try api.mailService(server.url)
            var progress = MailService.Progress()
            try await service.work(&progress)
            #expect(server.mails.withLock { $0.isEmpty })
            let ann = try await api.newPhone()
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let token = try await api.token(api.claims(of: ann))
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            try api.match()
            for _ in 0..<3 { try await service.work(&progress) }
            #expect(server.mails.withLock { $0.map(\.recipient) } == ["ben@campus.example"])
            #expect(try api.mail()?.kind == .preference)
        }
    }
}
