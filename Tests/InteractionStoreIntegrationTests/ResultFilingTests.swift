import Matching
import SignIn
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("Filing of results that were sent in, in a store") struct ResultFilingTests {
    private let now: Int64 = 1_793_620_800
    private let entry = AuditEntry(
        at: 1, account: Account(issuer: "", subject: "", name: "", roles: []), action: .filedReport, object: "r")

    private let picture = SubmittedResult.Proof.picture(.init(format: "png", width: 1, height: 1, byteCount: 1))

    private func report(_ reference: String) -> PositiveReport {
        PositiveReport(
            reference: reference, received: now, positive: PositiveCase(reportType: .confirmed, test: 20_758),
            subjects: [.init(identity: phone("first-device"), since: now - 1000, until: now)])
    }

    private func result(_ reference: String, _ proof: SubmittedResult.Proof = .code) -> SubmittedResult {
        SubmittedResult(
            reference: reference, state: .waiting, at: now, sender: .init(name: "Ann", number: "s1", contact: ""),
            testDay: 20_758, proof: proof)
    }

    /// Issues the code `c`.
    private func issueCode(in store: InteractionStore) throws {
        let code = IssuedCode(
            hash: "c", isLong: false, test: 20_758, onset: nil, issued: now, expires: now + 900, issuer: "Olga")
        #expect(try store.issue(codes: [code], audit: entry, now: now) == Set(["c"]))
    }

    @Test(arguments: Backend.installed)
    func `A code is used up with the report that it files, and with the draft of the sender`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store throws in
            try issueCode(in: store)
            #expect(try store.keepDraft(result("r", picture), picture: [1], now: now))
            #expect(try store.redeem(code: "c", as: .report(report("r")), audit: entry, now: now) == .done)
            #expect(try store.filedReport("r") != nil && store.openCode("c", now: now) == nil)
            #expect(try store.submittedResult("r") == nil && store.picture(ofSubmittedResult: "r") == nil)
            #expect(try store.redeem(code: "c", as: .report(report("s")), audit: entry, now: now) == .noCode)
            #expect(try store.filedReport("s") == nil)
            #expect(try store.audit(limit: 5).count == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `A code stays what it was if the report cannot be stored, or nothing more can wait`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store throws in
            try issueCode(in: store)
            _ = try store.add(report("r"))
            #expect(throws: StoreError.self) {
                _ = try store.redeem(code: "c", as: .report(report("r")), audit: entry, now: now)
            }
            for number in 0..<InteractionStore.mostWaitingResults {
                #expect(try store.send(result("w\(number)"), now: now))
            }
            #expect(try store.redeem(code: "c", as: .result(result("s")), audit: entry, now: now) == .noRoom)
            #expect(try store.submittedResult("s") == nil)
            #expect(try store.openCode("c", now: now)?.expires == now + 900)
            #expect(try store.openCode("c", now: now + 900) == nil)
            // That the code was issued.
            #expect(try store.audit(limit: 5).count == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `Pictures that wait do not keep out whoever has a code`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            try issueCode(in: store)
            for number in 0..<InteractionStore.mostWaitingResults {
                #expect(try store.keepDraft(result("p\(number)", picture), picture: [1], now: now))
                #expect(try store.send(result("p\(number)", picture), now: now))
            }
            #expect(try store.keepDraft(result("more", picture), picture: [1], now: now))
            #expect(try !store.send(result("more", picture), now: now))
            #expect(try store.redeem(code: "c", as: .result(result("s")), audit: entry, now: now) == .done)
            #expect(try store.submittedResult("s")?.state == .waiting)
        }
    }

    @Test(arguments: Backend.installed)
    func `The report of a result is filed as the result is deleted, or neither`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            for reference in ["r", "s"] {
                #expect(try store.keepDraft(result(reference, picture), picture: [1], now: now))
                #expect(try store.send(result(reference, picture), now: now))
            }
            #expect(try store.fileResult(report("r"), audit: entry))
            #expect(try store.filedReport("r") != nil && store.picture(ofSubmittedResult: "r") == nil)
            // Decided before, by another officer.
            #expect(try store.decide(submittedResult: "s", audit: entry))
            #expect(try !store.fileResult(report("s"), audit: entry))
            #expect(try store.filedReport("s") == nil)
            #expect(try store.audit(limit: 5).count == 2)
        }
    }
}
