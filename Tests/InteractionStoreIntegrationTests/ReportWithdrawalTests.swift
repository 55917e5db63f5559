import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("Reports that are taken back") struct ReportWithdrawalTests {
    private func report(_ reference: String, _ name: String) -> PositiveReport {
        PositiveReport(
            reference: reference, received: morning, positive: PositiveCase(reportType: .confirmed),
            subjects: [.init(identity: phone(name), since: 0, until: morning)],
            entries: [.init(scheme: "id", value: "code-of-\(name)")])
    }

    /// Ben was exposed by a report at a minute of the morning.
    private func expose(_ minute: Int64, by report: Int64, in store: InteractionStore) throws {
        let exposure = ExposureSummary(
            subject: phone("ben"), place: 1, start: morning + minute * 60, end: morning + minute * 60, minutes: 1)
        _ = try store.setExposures([exposure], of: report)
    }

    @Test(arguments: Backend.installed)
    func `What followed from a report goes with it, and what followed from another stays`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let wrong = try #require(try store.add(report("wrong", "ann")).number)
            let right = try #require(try store.add(report("right", "cleo")).number)
            try store.publish(scheme: "id", slots: 0..<8)
            try expose(0, by: wrong, in: store)
            try expose(60, by: right, in: store)
            try store.tell(phone("ben"), now: morning)
            let withdrawal = try #require(try store.withdraw(report: "wrong"))
            #expect(withdrawal.type == .confirmed && withdrawal.exposed == [phone("ben")])
            #expect(try store.reports(since: 0).map(\.reference) == ["right"])
            #expect(try store.published(scheme: "id", slots: 0..<8).values.sorted() == ["code-of-cleo"])
            #expect(try store.exposures(of: phone("ben")).map(\.start) == [morning + 3600])
            #expect(try store.staleNotices().map(\.subject) == [phone("ben")])
            #expect(try store.withdraw(report: "wrong") == nil)
            // Whoever was finding out what follows from it finds nothing any more.
            try expose(5, by: wrong, in: store)
            #expect(try store.exposures(of: phone("ben")).count == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `A report of which more is confirmed is unmatched until it is matched again`(backend: Backend) async throws {
        try await backend.withStore { store in
            var filed = report("r", "ann")
            filed.subjects.append(.init(identity: phone("code"), since: 0, until: morning, isPending: true))
            let number = try #require(try store.add(filed).number)
            #expect(try store.unmatchedReportCount(of: [.confirmed]) == 1)
            _ = try store.setExposures([], of: number)
            #expect(try store.unmatchedReportCount(of: [.confirmed]) == 0)
            #expect(try store.storedReport("r")?.isMatched == true)
            _ = try store.confirm(report: "r")
            #expect(try store.unmatchedReportCount(of: [.confirmed]) == 1)
            #expect(try store.unmatchedReportCount(of: [.selfReported]) == 0)
            #expect(try store.storedReport("r")?.isMatched == false)
        }
    }

    @Test(arguments: Backend.installed)
    func `A report that is confirmed while its exposures are looked for is not matched yet`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            var filed = report("r", "ann")
            filed.subjects.append(.init(identity: phone("code"), since: 0, until: morning, isPending: true))
            let number = try #require(try store.add(filed).number)
            let before = try #require(try store.reports(since: 0).first)
            _ = try store.confirm(report: "r")
            _ = try store.setExposures([], of: number, as: before)
            #expect(try store.storedReport("r")?.isMatched == false)
            let after = try #require(try store.reports(since: 0).first)
            _ = try store.setExposures([], of: number, as: after)
            #expect(try store.storedReport("r")?.isMatched == true)
        }
    }

    private func vouched(_ reference: String, seed: String) -> PositiveReport {
        var report = report(reference, "ann")
        report.entries = []
        report.derivations = [
            .init(
                place: "seeds[0]", subjects: [.init(identity: phone("code of \(seed)"), since: 0, until: morning)],
                entries: [.init(scheme: "c19x", value: seed)], isListed: true)
        ]
        return report
    }

    // Whoever had read the list reported the same seeds in a report of their own.
    @Test(arguments: Backend.installed)
    func `A seed that was in the list and was taken back adds nothing to another report`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            #expect(try store.add(vouched("first", seed: "5"), limit: 9) == .added(1, ignored: []))
            try store.publish(scheme: "c19x", slots: 0..<8)
            #expect(try store.published(scheme: "c19x", slots: 0..<8).values.sorted() == ["5"])
            _ = try store.withdraw(report: "first")
            #expect(try store.published(scheme: "c19x", slots: 0..<8).isEmpty)
            let again = try store.add(vouched("again", seed: "5"), limit: 9)
            #expect(again == .added(try #require(again.number), ignored: ["seeds[0]"]))
            #expect(try store.reports(since: 0).flatMap(\.subjects).map(\.identity) == [phone("ann")])
            try store.publish(scheme: "c19x", slots: 8..<16)
            #expect(try store.published(scheme: "c19x", slots: 0..<16).isEmpty)
            // It is forgotten when it wouldn't be shown any more.
            try store.publish(scheme: "c19x", slots: 8 * 15 * 288 + 8..<8 * 15 * 288 + 16)
            let later = try store.add(vouched("later", seed: "5"), limit: 9)
            #expect(later == .added(try #require(later.number), ignored: []))
        }
    }

    // Nobody else can have committed to it.
    @Test(arguments: Backend.installed)
    func `A random code of a report that was taken back can be reported again`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.add(report("wrong", "ann"))
            try store.publish(scheme: "id", slots: 0..<8)
            _ = try store.withdraw(report: "wrong")
            _ = try store.add(report("right", "ann"))
            try store.publish(scheme: "id", slots: 8..<16)
            #expect(try store.published(scheme: "id", slots: 0..<8).isEmpty)
            #expect(try store.published(scheme: "id", slots: 8..<16).values.sorted() == ["code-of-ann"])
        }
    }

    // The second had no entry of its own: when it was confirmed nothing was published, and when the first went it went too.
    @Test(arguments: Backend.installed)
    func `A code that somebody else reported before is published for whoever's report counts`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func waiting(_ reference: String, _ name: String) -> PositiveReport {
                var report = report(reference, name)
                report.entries = [.init(scheme: "id", value: "42", isPending: true)]
                return report
            }
            _ = try store.add(waiting("eve", "eve"))
            _ = try store.add(waiting("ann", "ann"))
            #expect(try store.confirm(report: "ann")?.waiting.entries == 1)
            _ = try store.withdraw(report: "eve")
            try store.publish(scheme: "id", slots: 0..<8)
            #expect(try store.published(scheme: "id", slots: 0..<8).values.sorted() == ["42"])
            // Another's report shows it no second time, and shows it when this one is taken back.
            var third = report("ben", "ben")
            third.entries = [.init(scheme: "id", value: "42")]
            _ = try store.add(third)
            try store.publish(scheme: "id", slots: 8..<16)
            #expect(try store.published(scheme: "id", slots: 8..<16).isEmpty)
            _ = try store.withdraw(report: "ann")
            try store.publish(scheme: "id", slots: 16..<24)
            #expect(try store.published(scheme: "id", slots: 0..<24).values.sorted() == ["42"])
        }
    }

    // With one interval more it was another key.
    @Test(arguments: Backend.installed)
    func `A key of which something was taken back adds nothing, whatever is reported with it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.add(vouched("first", seed: "5"))
            try store.publish(scheme: "c19x", slots: 0..<8)
            _ = try store.withdraw(report: "first")
            var longer = vouched("longer", seed: "5")
            longer.derivations[0].entries.append(.init(scheme: "c19x", value: "6"))
            let filed = try store.add(longer)
            #expect(filed == .added(try #require(filed.number), ignored: ["seeds[0]"]))
        }
    }

    @Test(arguments: Backend.installed)
    func `Who reports a seed twice has it counted while one of the reports stands`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.add(vouched("first", seed: "5"), of: [phone("ann")])
            let second = try store.add(vouched("second", seed: "5"), of: [phone("ann")])
            #expect(second == .added(try #require(second.number), ignored: []))
            _ = try store.withdraw(report: "first")
            try store.publish(scheme: "c19x", slots: 0..<8)
            #expect(try store.published(scheme: "c19x", slots: 0..<8).values.sorted() == ["5"])
        }
    }

    // Whoever saw their own entries saw by the rest of them how many others there were.
    @Test func `Of one report no more than half of the places is published at once`() async throws {
        try await Backend.sqlite.withStore { store in
            var many = report("many", "ann")
            many.entries = (1...40).map { .init(scheme: "id", value: "\($0)") }
            _ = try store.add(many)
            try store.publish(scheme: "id", slots: 0..<8)
            #expect(try store.published(scheme: "id", slots: 0..<8).count == 4)
        }
    }

    // They were found, and then the readings had gone by which they were found: "no exposure".
    @Test(arguments: Backend.installed)
    func `What was found by minutes together stays when the readings have gone`(backend: Backend) async throws {
        try await backend.withStore { store in
            let number = try #require(try store.add(report("right", "ann")).number)
            func exposure(_ minute: Int64, _ way: Exposure.Way) -> ExposureSummary {
                .init(
                    subject: phone("ben"), place: 1, start: morning + minute * 60, end: morning + minute * 60,
                    minutes: 1, way: way)
            }
            _ = try store.setExposures([exposure(0, .together), exposure(5, .beacon)], of: number)
            _ = try store.setExposures([], of: number)
            #expect(try store.exposures(of: phone("ben")) == [exposure(0, .together)])
            _ = try store.setExposures([], of: number, keepsForgotten: false)
            #expect(try store.exposures(of: phone("ben")).isEmpty)
        }
    }
}
