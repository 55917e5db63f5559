import Glibc
import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Streams of notices to pages that listen") struct NoticeStreamTests {
    @Test func `A page that listens is told as it happens, and one that comes later too`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await api.withNotices(broker: broker) {
                    let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
                    try api.hear(ann.identity, 0...20, sequence: 1)
                    try api.hear(ben.identity, 0...20, sequence: 2)
                    let events = try #require(api.board.events(for: ben.identity, to: "192.0.2.1"))
                    let others = try #require(api.board.events(for: ann.identity, to: "192.0.2.1"))
                    let token = try await api.token(api.claims(of: ann))
                    #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
                    var iterator = events.makeAsyncIterator()
                    #expect(await iterator.next() == ": listening\n\n")
                    var event = try #require(await iterator.next())
                    while event == ": still here\n\n" { event = try #require(await iterator.next()) }
                    #expect(event.hasPrefix("event: exposure\ndata: {"))
                    #expect(event.hasSuffix("}\n\n"))
                    // Over HTTP, after it happened.
                    let listener = try api.listen(ben)
                    #expect(
                        await listener.output.first { $0.lowercased().hasPrefix("content-type:") }?.lowercased()
                            .split(whereSeparator: \.isWhitespace) == ["content-type:", "text/event-stream"])
                    #expect(await listener.output.first { $0.contains("event: exposure") } != nil)
                    listener.send(signal: SIGKILL)
                    // Ann was exposed to nobody.
                    api.board.beat()
                    var other = others.makeAsyncIterator()
                    #expect(await other.next() == ": listening\n\n")
                    #expect(await other.next() == ": still here\n\n")
                }
            }
        }
    }

    @Test func `Whoever listens is told that there is nothing to tell any more`() async throws {
        let board = NoticeStreams()
        let ben = try #require(SubjectIdentity("phone:ben"))
        let events = try #require(board.events(for: ben, to: "here"))
        for content in [nil, .days(1), .days(1), nil] as [NoticeContent?] {
            board.tell(Notice(subject: ben, content: content, changed: 1))
        }
        board.endStreams()
        var told: [String] = []
        for await event in events { told.append(event) }
        let exposure = "event: exposure\ndata: \(NoticeDocument(.days(1)).text)\n\n"
        #expect(told == [": listening\n\n", exposure, "event: withdrawn\ndata: {}\n\n"])
    }

    // A badge is handed on, and whoever had it before was told of the next carrier.
    @Test func `Whoever showed a secret that was renewed isn't told any more`() async throws {
        let board = NoticeStreams()
        let ben = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
        let former = try #require(board.events(for: ben, version: 0, to: "here"))
        let present = try #require(board.events(for: ben, version: 1, to: "there"))
        #expect(board.subjects == [ben])
        board.endStreams(unless: [ben: 1])
        board.tell(Notice(subject: ben, content: .days(1), changed: 1))
        board.endStreams(unless: [ben: -2])
        var told: [[String]] = [[], []]
        for await event in former { told[0].append(event) }
        for await event in present { told[1].append(event) }
        let exposure = "event: exposure\ndata: \(NoticeDocument(.days(1)).text)\n\n"
        #expect(told == [[": listening\n\n"], [": listening\n\n", exposure]])
    }

    // 60,000 notices of invented badges, which nobody reads, had kept streams silent.
    @Test func `Whoever listens is told, however many notices of others wait`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await api.withNotices(broker: broker, mostNotices: 0) {
                    let ben = try await api.exposure()
                    let events = try #require(api.board.events(for: ben.identity, to: "192.0.2.1"))
                    #expect(await events.first { $0.hasPrefix("event: exposure") } != nil)
                }
            }
        }
    }

    @Test func `The stream of a secret that is renewed meanwhile ends before anything else is told`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await api.withNotices(broker: broker) {
                    let ben = try await api.newPhone()
                    let listener = try api.listen(ben)
                    #expect(await listener.output.first { $0.contains("listening") } != nil)
                    _ = try api.store.use { try $0.renewSecret(of: ben.identity, topicKey: "0a1b", now: 1) }
                    api.board.wake()
                    // curl ends with the stream.
                    #expect(await listener.exitStatus() == 0)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The server ends although somebody listens`() async throws {
        try await TestAPI.with(closesBoard: false) { api in
            let ann = try await api.newPhone()
            let listener = try api.listen(ann)
            #expect(await listener.output.first { $0 == ": listening" } != nil)
        }
    }

    @Test func `So many listen at one address, and no more`() throws {
        let board = NoticeStreams()
        var streams: [AsyncStream<String>] = []
        for number in 1...51 {
            let phone = try #require(SubjectIdentity("phone:p\(number)"))
            if let events = board.events(for: phone, to: "192.0.2.1") { streams.append(events) }
        }
        #expect(streams.count == 50)
        #expect(board.events(for: try #require(SubjectIdentity("phone:ben")), to: "192.0.2.2") != nil)
    }

    @Test func `So many listen to one subject, and no more`() throws {
        let board = NoticeStreams()
        let ann = try #require(SubjectIdentity("phone:ann"))
        var streams: [AsyncStream<String>] = []
        for _ in 0..<4 { streams.append(try #require(board.events(for: ann, to: "192.0.2.1"))) }
        #expect(board.events(for: ann, to: "192.0.2.1") == nil)
        #expect(board.events(for: try #require(SubjectIdentity("phone:ben")), to: "192.0.2.1") != nil)
        board.close()
        #expect(board.events(for: ann, to: "192.0.2.1") == nil)
    }
}
