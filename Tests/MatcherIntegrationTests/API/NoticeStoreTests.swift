import InteractionStore
import Matching
import TestSupport
import Testing

@testable import MatcherCore

@Suite("Notices in the store") struct NoticeStoreTests {
    /// Writes down that somebody reported, and whom that exposed.
    ///
    /// - Returns: the report's number.
    private func report(
        _ positive: SubjectIdentity, exposing exposed: [SubjectIdentity], in store: InteractionStore
    ) throws -> Int64 {
        let number = try #require(
            try store.add(
                PositiveReport(
                    reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                    subjects: [.init(identity: positive, since: 0, until: morning)])
            ).number)
        let exposures = exposed.map {
            ExposureSummary(subject: $0, place: 1, start: morning, end: morning, minutes: 1)
        }
        _ = try store.setExposures(exposures, of: number)
        return number
    }

    // The newest had gone first, and of those the least name: 11,000 invented ones kept a real one from the webhook.
    @Test(arguments: Backend.installed)
    func `Notices of whom the store has known for longest come first`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let known = try #require(SubjectIdentity("badge:ffffffff-0a4d-4f6e-9c3a-7d2f18e65401/9/9"))
            let invented = try (1...3).map {
                try #require(SubjectIdentity("badge:00000000-0a4d-4f6e-9c3a-7d2f18e65401/0/\($0)"))
            }
            for (index, subject) in ([known] + invented).enumerated() {
                try api.hear(subject, 0...20, sequence: UInt64(index + 1))
            }
            try api.store.use { store in
                _ = try report(known, exposing: [known] + invented, in: store)
                for (index, subject) in ([known] + invented).enumerated() {
                    try store.setNotice(.days(1), for: .init(subject: subject, changes: 1), now: Int64(index + 1))
                }
                #expect(try store.notices(limit: 2).map(\.subject) == [known, invented[0]])
            }
        }
    }

    @Test func `What waits to be read stays retained, however many others were told since`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try #require(SubjectIdentity("phone:ann")), try #require(SubjectIdentity("phone:ben")))
            let phone = try #require(SubjectIdentity("phone:positive"))
            try api.store.use { store in
                let report = try self.report(phone, exposing: [ann, ben], in: store)
                try store.setNotice(.days(1), for: .init(subject: ann, changes: 1), now: 1)
                try store.setNotice(.days(1), for: .init(subject: ben, changes: 1), now: 2)
                #expect(try store.notices(.unread, limit: 1).map(\.subject) == [ann])
                #expect(try store.subjects(withUnreadNoticeAmong: [ann, ben]) == [ann, ben])
                #expect(try store.seen(ann))
                #expect(try store.subjects(withUnreadNoticeAmong: [ann, ben]) == [ben])
                _ = try store.setExposures([], of: report)
                let stale = try #require(try store.staleNotices().first { $0.subject == ben })
                try store.setNotice(nil, for: stale, now: 3)
                #expect(try store.subjects(withUnreadNoticeAmong: [ann, ben]) == [])
            }
        }
    }

    @Test func `A notice that was withdrawn while others were delivered isn't delivered any more`() async throws {
        try await TestAPI.with { api in
            let ann = try #require(SubjectIdentity("phone:ann"))
            let notice = Notice(subject: ann, content: .days(1), changed: 1)
            try api.store.use { store in
                #expect(try !store.isToBeDelivered(notice))
                let phone = try #require(SubjectIdentity("phone:positive"))
                let report = try #require(
                    try store.add(
                        PositiveReport(
                            reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                            subjects: [.init(identity: phone, since: 0, until: morning)])
                    ).number)
                _ = try store.setExposures(
                    [.init(subject: ann, place: 1, start: morning, end: morning, minutes: 1)],
                    of: report)
                try store.setNotice(.days(1), for: .init(subject: ann, changes: 1), now: 1)
                #expect(try store.isToBeDelivered(notice))
                _ = try store.setExposures([], of: report)
                let stale = try #require(try store.staleNotices().first { $0.subject == ann })
                try store.setNotice(nil, for: stale, now: 3)
                #expect(try !store.isToBeDelivered(notice))
            }
        }
    }
}
