import Attendance
import BeaconModel
import Evidence
import Glibc
import InteractionStore
import Matching
import SignIn
import TestSupport
import Testing

@testable import EvidenceTests

@Suite("Erasing a subject from reports, exposures and notices") struct ErasedExposureTests {
    private let now = morning + 4 * 3600

    /// Ann's report, with her phone and her badge, and an entry of the list.
    private func report(_ store: InteractionStore) throws -> Int64 {
        try #require(
            try store.add(
                PositiveReport(
                    reference: "r", received: now, positive: PositiveCase(reportType: .confirmed),
                    subjects: ["ann-with-a-phone", "ann-with-another"].map {
                        .init(identity: phone($0), since: 0, until: now)
                    }, entries: [.init(scheme: "id", value: "digest-of-ann")])
            ).number)
    }

    private func exposure(_ name: String) -> ExposureSummary {
        .init(subject: phone(name), place: 1, start: morning, end: morning + 60, minutes: 1)
    }

    @Test(arguments: Backend.installed)
    func `Exposures, notices, reports and places in the list go with whom they name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try report(store)
            try store.publish(scheme: "id", slots: 0..<8)
            #expect(try store.published(scheme: "id", slots: 0..<8).count == 1)
            _ = try store.setExposures([exposure("ben-with-a-phone"), exposure("cleo")], of: report)
            for name in ["ben-with-a-phone", "cleo"] { try store.tell(phone(name), now: now) }

            let ben = try store.erase(phone("ben-with-a-phone"), now: now)
            #expect(ben.isComplete && ben.remaining["exposure"] == 0 && ben.remaining["notice"] == 0, "\(ben)")
            #expect(try store.exposures(of: phone("ben-with-a-phone")).isEmpty)
            #expect(try store.notices().map(\.subject) == [phone("cleo")])
            #expect(try store.exposures(of: phone("cleo")).count == 1)

            let ann = try store.erase(phone("ann-with-a-phone"), listed: ["digest-of-ann"], now: now)
            #expect(ann.isComplete && ann.remaining["report_subject"] == 0, "\(ann)")
            // With the one name goes the other: together they say who it was.
            #expect(try store.reports(since: 0).isEmpty)
            #expect(try store.reportCount(of: phone("ann-with-another")) == 0)
            // What was shown stays as it is, and is nobody's.
            #expect(try store.published(scheme: "id", slots: 0..<8).values.sorted() == ["digest-of-ann"])
            #expect(try store.exposures(of: phone("cleo")).isEmpty)
        }
    }

    // Ben and Cleo were told of exposures to Ann, Cleo of one to Dan, too.
    @Test(arguments: Backend.installed)
    func `Whoever was told of an exposure to somebody who is erased is told what is left`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let ann = try report(store)
            let dan = try #require(
                try store.add(
                    PositiveReport(
                        reference: "d", received: now, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: phone("dan"), since: 0, until: now)])
                ).number)
            _ = try store.setExposures([exposure("ben"), exposure("cleo")], of: ann)
            _ = try store.setExposures([exposure("cleo"), exposure("eve")], of: dan)
            for stale in try store.staleNotices() { try store.setNotice(.days(1), for: stale, now: now) }
            #expect(try store.staleNotices() == [])
            _ = try store.erase(phone("ann-with-a-phone"), now: now)
            #expect(try store.staleNotices().map(\.subject) == [phone("ben"), phone("cleo")])
        }
    }

    // Another process finds more while this one makes the notice of what there was.
    @Test(arguments: Backend.installed)
    func `What is found while a notice is made is told with the next`(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try report(store)
            _ = try store.setExposures([exposure("ben")], of: report)
            let stale = try #require(try store.staleNotices().first)
            var later = exposure("ben")
            later.start += 3600
            later.end += 3600
            _ = try store.setExposures([exposure("ben"), later], of: report)
            try store.setNotice(.days(1), for: stale, now: now)
            let again = try #require(try store.staleNotices().first)
            try store.setNotice(.days(2), for: again, now: now)
            #expect(try store.staleNotices() == [])
            // Whoever knew less and comes last changes nothing.
            try store.setNotice(.days(3), for: stale, now: now)
            #expect(try store.notices().map(\.content) == [.days(2)])
            _ = try store.setExposures([], of: report)
            #expect(try store.staleNotices().map(\.changes) == [again.changes + 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `What is to be withdrawn from a broker is kept until it is`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure("ben")], of: try report(store))
            try store.tell(phone("ben"), now: now)
            #expect(try store.erase(phone("ben"), topicKey: "the-key", now: now).withdrawsNotice)
            let later = now + 20 * 86_400
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: later)
            #expect(try store.withdrawals() == ["the-key": now])
            #expect(try store.notices().isEmpty)
            try store.withdrew(topicKey: "the-key", at: now)
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: later)
            #expect(try store.withdrawals().isEmpty)
        }
    }

    // A gateway could name somebody so, and then have the matcher publish wherever it liked.
    @Test(arguments: Backend.installed)
    func `A subject of the kind withdrawn is a subject as any other`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try #require(SubjectIdentity(kind: "withdrawn", id: "x/y"))
            var exposure = exposure("ben")
            exposure.subject = subject
            _ = try store.setExposures([exposure], of: try report(store))
            try store.tell(subject, now: now)
            #expect(try store.withdrawals().isEmpty)
            #expect(try store.notices().map(\.subject) == [subject])
        }
    }

    @Test(arguments: Backend.installed)
    func `What was found before somebody was erased isn't kept after it`(backend: Backend) async throws {
        try await backend.with { location in
            let daemon = try InteractionStore.open(location)
            let report = try report(daemon)
            _ = try daemon.setExposures([exposure("ben")], of: report)
            let other = try InteractionStore.open(location)
            _ = try other.erase(phone("ben"), now: now)
            // As a daemon does that had matched already.
            #expect(try daemon.setExposures([exposure("ben"), exposure("cleo")], of: report) == [phone("cleo")])
            try daemon.tell(phone("ben"), now: now)
            #expect(try daemon.exposures(of: phone("ben")).isEmpty)
            #expect(try daemon.notices().map(\.subject) == [phone("cleo")])
            _ = try other.erase(phone("ann-with-a-phone"), now: now)
            #expect(try daemon.setExposures([exposure("cleo")], of: report) == [])
            #expect(try daemon.exposures(of: phone("cleo")).isEmpty)
        }
    }

    // The emptied topic had told that there was something.
    @Test(arguments: Backend.installed)
    func `Whoever was exposed and not told so learns nothing by being erased`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure("ben")], of: try report(store))
            #expect(try !store.erase(phone("ben"), topicKey: "0a", now: now).withdrawsNotice)
            #expect(try store.withdrawals().isEmpty)
        }
    }
}
