import InteractionStore
import Matching
import SignIn
import Testing

@testable import EvidenceTests

@Suite("Decisions about reports in a store") struct ReportDecisionStoreTests {
    private static let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])

    /// Stores a report that waits, with a code that waits, by which Ben was exposed.
    private func file(in store: InteractionStore) throws {
        let code = try #require(SubjectIdentity(kind: "c19x", id: "code"))
        let number = try #require(
            try store.add(
                PositiveReport(
                    reference: "r", received: morning, positive: PositiveCase(reportType: .selfReported),
                    subjects: [
                        .init(identity: phone("ann"), since: 0, until: morning),
                        .init(identity: code, since: 0, until: morning, isPending: true),
                    ])
            ).number)
        let exposure = ExposureSummary(
            subject: phone("ben"), place: 1, start: morning, end: morning + 600, minutes: 10)
        _ = try store.setExposures([exposure], of: number)
    }

    private func decision(_ kind: ReportDecision.Kind, by name: String) -> ReportDecision {
        ReportDecision(kind, reason: kind == .confirmed ? "" : "wrong person", name: name, at: morning)
    }

    private func decide(
        _ kind: ReportDecision.Kind, by name: String, in store: InteractionStore
    ) throws -> InteractionStore.Decided {
        let entry = AuditEntry(
            at: morning, account: Self.account, action: .confirmedReport, object: "r",
            detail: "\(kind.rawValue) by \(name)")
        return try store.decide(decision(kind, by: name), report: "r", audit: entry)
    }

    /// Returns what a report was before a decision; `nil` if nothing was decided.
    private func before(_ decided: InteractionStore.Decided) -> InteractionStore.Before? {
        if case .done(let before) = decided { before } else { nil }
    }

    private func audit(of store: InteractionStore) throws -> [String] {
        try store.audit(limit: 10).map { $0.entry.detail }
    }

    @Test(arguments: Backend.installed)
    func `A confirmed report counts from then on, with all that waited in it`(backend: Backend) async throws {
        try await backend.withStore { store in
            try file(in: store)
            #expect(try store.filedReport("r")?.subjects.count == 1)
            let before = try self.before(decide(.confirmed, by: "Olga", in: store))
            #expect(
                before
                    == InteractionStore.Before(
                        type: .selfReported, waiting: FiledReport.Waiting(names: 1), exposed: [phone("ben")]))
            let stored = try #require(try store.storedReport("r"))
            #expect(stored.report.positive.reportType == .confirmed)
            #expect(!stored.isWaiting)
            #expect(stored.decision == decision(.confirmed, by: "Olga"))
            #expect(try store.filedReport("r")?.subjects.count == 2)
            #expect(try audit(of: store) == ["confirmed by Olga"])
        }
    }

    @Test(arguments: Backend.installed, [ReportDecision.Kind.refused, .withdrawn])
    func `A refused or withdrawn report is removed with what followed, and the decision stays`(
        backend: Backend, kind: ReportDecision.Kind
    ) async throws {
        try await backend.withStore { store in
            try file(in: store)
            #expect(try before(decide(kind, by: "Olga", in: store))?.exposed == [phone("ben")])
            #expect(try store.storedReport("r") == nil)
            #expect(try store.exposures(of: phone("ben")).isEmpty)
            #expect(try store.decision(report: "r") == decision(kind, by: "Olga"))
            let deleting = try store.deletingDecisions(limit: 10)
            #expect(deleting.map { $0.report } == ["r"])
            #expect(try audit(of: store) == ["\(kind.rawValue) by Olga"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A second officer is told the decision of the first, and the audit has nothing of the second`(
        backend: Backend
    ) async throws {
        for first in [ReportDecision.Kind.confirmed, .refused] {
            try await backend.with { location in
                // Each officer's matcher has a store of its own.
                let (store, other) = (try InteractionStore.open(location), try InteractionStore.open(location))
                try file(in: store)
                #expect(try before(decide(first, by: "Olga", in: store)) != nil)
                for second in [ReportDecision.Kind.confirmed, .refused] {
                    let answer = try decide(second, by: "Omar", in: other)
                    #expect(answer == .already(decision(first, by: "Olga")))
                }
                let exposures = try other.exposures(of: phone("ben"))
                #expect(exposures.count == (first == .confirmed ? 1 : 0))
                #expect(try audit(of: other) == ["\(first.rawValue) by Olga"])
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A report that was confirmed can be withdrawn, once`(backend: Backend) async throws {
        try await backend.withStore { store in
            try file(in: store)
            _ = try decide(.confirmed, by: "Olga", in: store)
            #expect(try before(decide(.withdrawn, by: "Omar", in: store)) != nil)
            #expect(try store.exposures(of: phone("ben")).isEmpty)
            let again = try decide(.withdrawn, by: "Olga", in: store)
            #expect(again == .already(decision(.withdrawn, by: "Omar")))
            #expect(try audit(of: store) == ["withdrawn by Omar", "confirmed by Olga"])
        }
    }

    @Test(arguments: Backend.installed, [ReportDecision.Kind.confirmed, .refused])
    func `A confirmed report in which nothing waits is neither confirmed again nor refused`(
        backend: Backend, kind: ReportDecision.Kind
    ) async throws {
        try await backend.withStore { store in
            let number = try #require(
                try store.add(
                    PositiveReport(
                        reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: phone("ann"), since: 0, until: morning)])
                ).number)
            _ = try store.setExposures([], of: number)
            #expect(try decide(kind, by: "Olga", in: store) == .nothingWaits)
            #expect(try store.storedReport("r")?.isMatched == true)
            #expect(try store.decision(report: "r") == nil)
            #expect(try audit(of: store).isEmpty)
            #expect(try before(decide(.withdrawn, by: "Olga", in: store)) != nil)
        }
    }
}
