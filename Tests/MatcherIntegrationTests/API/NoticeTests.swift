import InteractionStore
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Notices of exposures") struct NoticeTests {
    @Test func `What somebody is told is what the document says`() async throws {
        struct Document: Decodable {
            var components: Components

            struct Components: Decodable { var schemas: [String: Schema] }

            struct Schema: Decodable {
                var properties: [String: Ignored]?
                var required: [String]?
            }

            struct Ignored: Decodable {}
        }
        let document = try JSON.decode(Document.self, from: OpenAPIDocument.bytes)
        let schema = try #require(document.components.schemas["Notice"])
        try await TestAPI.with { api in
            _ = try await api.exposure()
            try api.match()
            let notice = try #require(try api.store.use { try $0.notices().first?.content })
            let members = try JSON.decode([String: Document.Ignored].self, from: NoticeDocument(notice).bytes)
            #expect(members.keys.sorted() == schema.properties?.keys.sorted())
            #expect(Set(schema.required ?? []).isSubset(of: members.keys))
        }
    }

    @Test func `A record that comes late changes the notice`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.exposure()
            try api.match()
            let first = try #require(try api.store.use { try $0.notices().first })
            #expect(first.content?.days == 1)
            try api.store.use { try $0.delivered(first) }
            #expect(try api.store.use { try $0.seen(ben.identity) })
            #expect(try api.store.use { try $0.notices() }.allSatisfy { $0.isDelivered && $0.isSeen })
            // Nothing new: nothing is told.
            try api.match()
            #expect(try api.store.use { try $0.notices() }.allSatisfy { $0.isDelivered && $0.isSeen })
            let ann = try #require(try api.store.use { try $0.reports(since: 0).first?.subjects.first?.identity })
            try api.hear(ann, -1440...(-1420), sequence: 3)
            try api.hear(ben.identity, -1440...(-1420), sequence: 4)
            try api.match()
            let second = try #require(try api.store.use { try $0.notices().first })
            #expect(second.content?.days == 2)
            #expect(!second.isDelivered)
        }
    }

    @Test(arguments: Backend.installed)
    func `A notice that came after the one that was read stays unread`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let ben = try await api.exposure()
            try api.match()
            let first = try #require(try api.store.use { try $0.notices().first?.content })
            let ann = try #require(try api.store.use { try $0.reports(since: 0).first?.subjects.first?.identity })
            try api.hear(ann, -1440...(-1420), sequence: 3)
            try api.hear(ben.identity, -1440...(-1420), sequence: 4)
            try api.match()
            let path = ben.path + "/exposures/read"
            #expect(try await api.post(path, NoticeDocument(first).text, secret: ben.secret).status == 204)
            let second = try #require(try api.store.use { try $0.notices().first })
            #expect(!second.isSeen && second.content?.days == 2)
            let content = try #require(second.content)
            #expect(try await api.post(path, NoticeDocument(content).text, secret: ben.secret).status == 204)
            #expect(try api.store.use { try $0.notices().filter { !$0.isSeen } } == [])
        }
    }

    @Test func `What was read is a level, a number and a time, or isn't taken`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.exposure()
            try api.match()
            for body in [#"{"level":"none"}"#, #"{"latest":"yesterday"}"#] {
                let answer = try await api.post(ben.path + "/exposures/read", body, secret: ben.secret)
                #expect(answer.status == 422, "\(body)")
            }
            #expect(try api.store.use { try $0.notices().map(\.isSeen) } == [false])
            #expect(try await api.post(ben.path + "/exposures/read", "{}", secret: ben.secret).status == 204)
            #expect(try api.store.use { try $0.notices().map(\.isSeen) } == [true])
        }
    }

    // Nothing but a row says who is to be told: it is written with the exposures.
    @Test func `Whoever ends between finding and telling forgets nobody`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.exposure()
            let now = api.clock.withLock { $0 }
            try api.store.use { store in
                for report in try store.reports(since: 0) {
                    _ = try ReportMatching(policy: api.policy, phoneDelay: nil).match(report, in: store, now: now)
                }
            }
            // Another process matches the same again and finds nothing new.
            try api.match()
            #expect(try api.store.use { try $0.notices() }.map(\.subject) == [ben.identity])
        }
    }

    // Two exposures on two days; 14 days after the first it doesn't count any more.
    @Test func `What grows old is no news`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.exposure()
            let ann = try #require(try api.store.use { try $0.reports(since: 0).first?.subjects.first?.identity })
            try api.hear(ann, -1440...(-1420), sequence: 3)
            try api.hear(ben.identity, -1440...(-1420), sequence: 4)
            try api.match()
            try api.store.use { store in for notice in try store.notices() { try store.delivered(notice) } }
            #expect(try api.store.use { try $0.seen(ben.identity) })
            api.clock.withLock { $0 += 13 * 86_400 }
            try api.match()
            #expect(try api.store.use { try $0.notices() }.allSatisfy { $0.isDelivered && $0.isSeen })
            #expect(try api.store.use { try $0.notice(for: ben.identity) }?.days == 1)
        }
    }
}
