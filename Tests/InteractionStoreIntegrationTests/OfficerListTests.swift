import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("Lists for officers") struct OfficerListTests {
    private func file(
        _ reference: String, _ type: ReportType = .confirmed, _ subjects: [PositiveReport.Subject] = [],
        in store: InteractionStore
    ) throws -> Int64 {
        let own = PositiveReport.Subject(identity: phone("of-\(reference)"), since: 0, until: morning)
        return try #require(
            try store.add(
                PositiveReport(
                    reference: reference, received: morning, positive: PositiveCase(reportType: type),
                    subjects: [own] + subjects)
            ).number)
    }

    private func code(_ name: String, isPending: Bool = false) throws -> PositiveReport.Subject {
        let identity = try #require(SubjectIdentity(kind: "c19x", id: name))
        return .init(identity: identity, since: 0, until: morning, isPending: isPending)
    }

    private func exposure(_ name: String, _ minute: Int64) -> ExposureSummary {
        ExposureSummary(
            subject: phone(name), place: 1, start: morning + minute * 60, end: morning + minute * 60, minutes: 1)
    }

    @Test("Reports are listed in parts, the latest first", arguments: Backend.installed)
    func parts(backend: Backend) async throws {
        try await backend.withStore { store in
            for reference in ["a", "b", "c"] { _ = try file(reference, in: store) }
            let first = try store.reportList(waiting: false, before: nil, limit: 2)
            #expect(first.map(\.report.reference) == ["c", "b"])
            let rest = try store.reportList(waiting: false, before: first.last?.report.number, limit: 2)
            #expect(rest.map(\.report.reference) == ["a"])
        }
    }

    @Test("A report waits if it is not confirmed, or if codes in it are not", arguments: Backend.installed)
    func waiting(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try file("confirmed", .confirmed, [try code("1")], in: store)
            _ = try file("own", .selfReported, in: store)
            _ = try file("part", .confirmed, [try code("2", isPending: true)], in: store)
            let waiting = try store.reportList(waiting: true, before: nil, limit: 9)
            #expect(waiting.map(\.report.reference) == ["part", "own"])
            #expect(try store.waitingReportCount() == 2)
            #expect(try store.storedReport("confirmed")?.isWaiting == false)
        }
    }

    @Test(
        "A report is listed with its phones and badges alone, and matched with all names", arguments: Backend.installed)
    func names(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try file("r", .confirmed, [try code("1"), try code("2", isPending: true)], in: store)
            let stored = try #require(try store.storedReport("r"))
            #expect(stored.report.subjects.map(\.identity) == [phone("of-r")])
            #expect(stored.hasOthers)
            let codes = try #require(try store.filedReport("r")).subjects.map(\.identity.kind)
            #expect(codes == ["c19x", SubjectIdentity.phone])
            #expect(try store.filedReport("other")?.number == nil)
        }
    }

    @Test("Exposed people are listed in parts, those exposed latest first", arguments: Backend.installed)
    func exposed(backend: Backend) async throws {
        try await backend.withStore { store in
            let one = try file("one", in: store)
            let other = try file("other", in: store)
            _ = try store.setExposures([exposure("ann", 0), exposure("ben", 5), exposure("cleo", 5)], of: one)
            _ = try store.setExposures([exposure("ann", 3)], of: other)
            let first = try store.exposedSubjects(since: morning, limit: 2)
            #expect(first.map(\.subject) == [phone("cleo"), phone("ben")])
            let last = try #require(first.last)
            let rest = try store.exposedSubjects(
                since: morning, after: InteractionStore.ExposedPosition(latest: last.latest, subject: last.subject),
                limit: 2)
            #expect(rest.map(\.subject) == [phone("ann")])
            #expect(
                try store.reports(exposing: [phone("ann"), phone("dan")], since: morning) == [
                    phone("ann"): [one, other]
                ])
            #expect(rest.map(\.latest) == [morning + 180])
            #expect(try store.reports(exposing: [phone("ann")], since: morning + 100) == [phone("ann"): [other]])
            #expect(try store.exposedSubjects(since: morning + 301, limit: 9).isEmpty)
            #expect(try store.storedReport("one")?.exposed == 3)
        }
    }

    @Test("Who was exposed by two reports until the same time is listed once", arguments: Backend.installed)
    func sameEnd(backend: Backend) async throws {
        try await backend.withStore { store in
            for report in [try file("one", in: store), try file("other", in: store)] {
                _ = try store.setExposures([exposure("ann", 5), exposure("ben", 5)], of: report)
            }
            let first = try store.exposedSubjects(since: 0, limit: 1)
            #expect(first.map(\.subject) == [phone("ben")])
            #expect(try store.reports(exposing: [phone("ben")], since: 0)[phone("ben")]?.count == 2)
            let last = try #require(first.last)
            let rest = try store.exposedSubjects(
                since: 0, after: InteractionStore.ExposedPosition(latest: last.latest, subject: last.subject), limit: 9)
            #expect(rest.map(\.subject) == [phone("ann")])
        }
    }

    @Test("Somebody is not notified until the notice covers all exposures", arguments: Backend.installed)
    func notices(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try file("one", in: store)
            _ = try store.setExposures([exposure("ben", 0)], of: report)
            #expect(try store.exposedSubjects(since: 0, limit: 9).map(\.notice.isCurrent) == [false])
            let stale = try #require(try store.staleNotices(among: [phone("ben"), phone("ann")]).first)
            let content = NoticeContent(
                level: .high, label: "", days: 1, latest: morning, policy: "p", policyVersion: "1")
            try store.setNotice(content, for: stale, now: morning)
            let state = try #require(try store.noticeStates(of: [phone("ben")])[phone("ben")])
            #expect(state == NoticeState(content: content, isCurrent: true, isDelivered: false, isSeen: false))
            #expect(try store.staleNotices(among: [phone("ben")]).isEmpty)
        }
    }

    @Test("An exposure is listed with the report from which it follows", arguments: Backend.installed)
    func reported(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try file("one", in: store)
            _ = try store.setExposures([exposure("ben", 0), exposure("ben", 9), exposure("ann", 1)], of: report)
            let found = try store.reportedExposures(of: phone("ben"), limit: 1)
            #expect(found.map(\.report) == ["one"])
            #expect(found.map(\.exposure) == [exposure("ben", 9)])
            let latest = try store.latestExposures(of: [phone("ben"), phone("nobody")])
            #expect(latest == [phone("ben"): exposure("ben", 9)])
            #expect(try store.exposures(ofReport: report, limit: 9).count == 3)
            #expect(try store.exposedSubjects(ofReport: report, limit: 9) == [phone("ann"), phone("ben")])
            #expect(try store.exposedSubjects(ofReport: report, limit: 1) == [phone("ann")])
            #expect(try store.storedReports(of: phone("of-one"), limit: 9).map(\.report.number) == [report])
        }
    }
}
