import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("News while the page is open", .timeLimit(.minutes(10))) struct NewsTests {
    private func subject(_ text: String) throws -> SubjectIdentity { try #require(SubjectIdentity(text)) }

    private func listen(_ browser: TestAPI.Browser, _ path: String) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.find("curl"),
            [
                "--silent", "--no-buffer", "--max-time", "60", "--noproxy", "*", "--cookie", browser.cookie ?? "",
                "http://127.0.0.1:\(browser.api.port)\(path)",
            ])
    }

    @Test func `A person is told that there is news and not which, until the sign-out`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            _ = try await api.exposeBen()
            let ben = try #require(try api.store.use { try $0.person(number: "s2") }?.subjects.first)
            let browser = try api.browser(.student, name: "Ben", number: "s2")
            let page = try await browser.get("/me").text
            let path = try #require(page.split(separator: "data-news=\"").last?.prefix { $0 != "\"" })
            #expect(path.hasPrefix("/me/events?since="))
            let listener = try listen(browser, String(path))
            #expect(await listener.output.first { $0 == ": listening" } != nil)
            let now = api.clock.withLock { $0 }
            api.board.tell(Notice(subject: ben, content: .days(2), changed: now + 60))
            #expect(await listener.output.first { $0 == "event: news" } != nil)
            #expect(await listener.output.first { $0.hasPrefix("data:") } == "data: {}")
            #expect(try await browser.post("/sign-out").status == 303)
            // curl ends with the stream.
            #expect(await listener.exitStatus() == 0)
        }
    }

    @Test func `A stream ends when somebody else signs in with the same browser`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            _ = try await api.exposeBen()
            let browser = try api.browser(.student, name: "Ben", number: "s2")
            let listener = try listen(browser, "/me/events?since=0")
            #expect(await listener.output.first { $0 == ": listening" } != nil)
            let token = SessionToken()
            let other = Account(issuer: Account.local, subject: "Ann", name: "Ann", roles: [.student])
            let now = api.clock.withLock { $0 }
            try api.store.use { try $0.add(link: token.hash, for: other, expires: now + 300) }
            #expect(try await browser.post("/sign-in/use", ["link": token.text]).status == 303)
            // curl ends with the stream.
            #expect(await listener.exitStatus() == 0)
        }
    }

    @Test func `Who has no badge and no phone has no stream`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let browser = try api.browser(.student, name: "Cy", number: "s9")
            #expect(try await browser.get("/me/events?since=0").status == 404)
            #expect(try await !browser.get("/me").text.contains("data-news"))
            #expect(try await api.stranger.get("/me/events?since=0").status == 303)
        }
    }

    @Test func `What the page shows already is no news, and each change is told once`() async throws {
        let board = NoticeStreams()
        let (first, second) = (try subject("phone:one"), try subject("phone:two"))
        let events = try #require(board.news(of: [first, second], session: "s", account: "a", since: 10, to: "here"))
        #expect(board.subjects == [first, second])
        board.tell(Notice(subject: first, content: .days(1), changed: 10))
        board.tell(Notice(subject: second, content: .days(1), changed: 11))
        board.tell(Notice(subject: second, content: .days(1), changed: 11))
        board.tell(Notice(subject: first, content: nil, changed: 12))
        board.tell(Notice(subject: try subject("phone:three"), content: .days(1), changed: 13))
        board.endStreams()
        var told: [String] = []
        for await event in events { told.append(event) }
        #expect(
            told == [
                ": listening\n\n", "event: news\nid: 11\ndata: {}\n\n", "event: news\nid: 12\ndata: {}\n\n",
            ])
    }

    @Test func `A stream of a session ends after ten minutes, and no other does`() async throws {
        let board = NoticeStreams()
        let ben = try subject("phone:ben")
        let start = ContinuousClock.now
        let browser = try #require(board.news(of: [ben], session: "s", account: "a", since: 0, to: "here", now: start))
        let app = try #require(board.events(for: ben, to: "here"))
        board.beat(now: start + .seconds(599))
        board.beat(now: start + .seconds(600))
        board.tell(Notice(subject: ben, content: nil, changed: 1))
        board.endStreams()
        var told: [String] = []
        for await event in browser { told.append(event) }
        #expect(told == [": listening\n\n", ": still here\n\n"])
        var heard: [String] = []
        for await event in app { heard.append(event) }
        #expect(heard.count == 3)
    }

    @Test func `One account has a few streams of news, however many sessions it has`() throws {
        let board = NoticeStreams()
        let ben = try subject("phone:ben")
        let streams = (0..<20).compactMap {
            board.news(of: [ben], session: "\($0)", account: "ben", since: 0, to: "here")
        }
        #expect(streams.count == 8)
        #expect(board.news(of: [ben], session: "20", account: "ann", since: 0, to: "here") != nil)
    }

    @Test func `Streams of sessions and of secrets have limits of their own`() throws {
        let board = NoticeStreams()
        let ben = try subject("phone:ben")
        var streams: [AsyncStream<String>] = []
        for _ in 0..<5 {
            if let events = board.news(of: [ben], session: "one", account: "a", since: 0, to: "here") {
                streams.append(events)
            }
        }
        #expect(streams.count == 4)
        for number in 0..<300 {
            let events = board.news(of: [ben], session: "\(number)", account: "\(number)", since: 0, to: "here")
            if let events { streams.append(events) }
        }
        #expect(streams.count == 200)
        #expect(board.events(for: ben, to: "here") != nil)
        board.endStreams(ofSession: "one")
        // Sessions are not bound to the version of a secret.
        board.endStreams(unless: [ben: 7])
        #expect(board.subjects == [ben])
        board.close()
        #expect(board.news(of: [ben], session: "two", account: "a", since: 0, to: "here") == nil)
    }
}
