import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("The retention of reports") struct ReportRetentionTests {
    private let day: Int64 = 86_400
    private let report = PositiveReport(
        reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
        subjects: [.init(identity: phone("ann"), since: 0, until: morning)],
        entries: [.init(scheme: "id", value: "ann's digest")])

    @Test(arguments: Backend.installed)
    func `A report and its place in the list are kept for 28 days, and what followed from it for 14`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let number = try #require(try store.add(report).number)
            try store.publish(scheme: "id", slots: 0..<8)
            _ = try store.setExposures(
                [
                    .init(
                        subject: phone("ben"), place: 1, start: morning - 60, end: morning, minutes: 1)
                ], of: number)
            try store.tell(phone("ben"), now: morning)
            func left(after seconds: Int64) throws -> [Int] {
                _ = try store.enforceRetention(days: 14, reportDays: 28, now: morning + seconds)
                return [
                    try store.reports(since: 0).flatMap(\.subjects).count,
                    try store.published(scheme: "id", slots: 0..<8).count,
                    try store.exposures(of: phone("ben")).count,
                    try store.notices().count { $0.content != nil },
                ]
            }
            #expect(try left(after: 13 * day) == [1, 1, 1, 1])
            #expect(try left(after: 14 * day + 1) == [1, 1, 0, 0])
            #expect(try left(after: 28 * day) == [1, 1, 0, 0])
            #expect(try left(after: 28 * day + 1) == [0, 0, 0, 0])
        }
    }

    @Test(arguments: Backend.installed)
    func `Whoever was told of an exposure that is too old is told what is left`(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try #require(try store.add(report).number)
            let exposures = [morning, morning + day].map {
                ExposureSummary(
                    subject: phone("ben"), place: 1, start: $0, end: $0, minutes: 1)
            }
            _ = try store.setExposures(exposures, of: report)
            try store.tell(phone("ben"), now: morning + day)
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: morning + 14 * day)
            #expect(try store.staleNotices() == [])
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: morning + 14 * day + 1)
            #expect(try store.staleNotices().map(\.subject) == [phone("ben")])
            #expect(try store.exposures(of: phone("ben")).map(\.start) == [morning + day])
        }
    }

    @Test(arguments: Backend.installed)
    func `Of a notice that nobody read is known until it is withdrawn that there was one`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let report = try #require(try store.add(report).number)
            let exposures = ["ben", "cleo"].map {
                ExposureSummary(
                    subject: phone($0), place: 1, start: morning, end: morning, minutes: 1)
            }
            _ = try store.setExposures(exposures, of: report)
            for name in ["ben", "cleo"] { try store.tell(phone(name), now: morning) }
            #expect(try store.seen(phone("cleo")))
            func left(after seconds: Int64) throws -> [Notice] {
                _ = try store.enforceRetention(days: 14, reportDays: 28, now: morning + seconds)
                return try store.notices()
            }
            let expired = morning + 14 * day + 1
            #expect(
                try left(after: 14 * day + 1) == [
                    .init(subject: phone("ben"), content: nil, changed: expired, isDelivered: true, isSeen: true)
                ])
            #expect(try store.notices().allSatisfy { $0.isDelivered && $0.isSeen })
            #expect(try left(after: 29 * day) == [])
        }
    }
}
