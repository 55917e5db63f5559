import Matching
import People
import SignIn
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("Test results that were sent in, in a store") struct SubmittedResultStoreTests {
    private let now: Int64 = 1_793_620_800
    private let bytes: [UInt8] = [0x89, 0x50, 0, 0xFF]
    private let entry = AuditEntry(
        at: 1, account: Account(issuer: "i", subject: "o", name: "Ottilie", roles: [.officer]),
        action: .confirmedReport, object: "a")

    private func result(
        _ reference: String, number: String = "s1", byteCount: Int = 4, proof: SubmittedResult.Proof? = nil
    ) -> SubmittedResult {
        let read = SubmittedResult.ReadOff(
            outcome: "positive", testDay: 20_758, orderNumber: "AB12345", codes: ["https://lab.example/r", "x"])
        return SubmittedResult(
            reference: reference, state: .draft, at: now,
            sender: .init(name: "Ann", number: number, contact: "ann@campus.example"), testDay: 20_758,
            onset: nil, orderNumber: "AB12345",
            proof: proof
                ?? .picture(.init(format: "png", width: 3, height: 2, byteCount: byteCount, read: read)))
    }

    @Test("A draft is kept with its picture, and replaced under its reference", arguments: Backend.installed)
    func draft(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try store.keepDraft(result("a"), picture: bytes, now: now))
            #expect(try store.submittedResult("a") == result("a"))
            #expect(try store.picture(ofSubmittedResult: "a") == bytes)
            var changed = result("a")
            changed.sender.name = "Ann B."
            changed.onset = 20_757
            #expect(try store.keepDraft(changed, picture: nil, now: now))
            #expect(try store.submittedResult("a") == changed)
            #expect(try store.picture(ofSubmittedResult: "a") == bytes)
            #expect(try store.waitingResultCount() == 0)
        }
    }

    @Test("What is sent waits with what was typed and the stored picture", arguments: Backend.installed)
    func sending(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try store.keepDraft(result("a", number: ""), picture: bytes, now: now))
            // What is claimed of the picture at the sending does not count.
            #expect(try store.send(result("a", byteCount: 9), now: now + 60))
            var sent = result("a")
            (sent.state, sent.at) = (.waiting, now + 60)
            #expect(try store.submittedResult("a") == sent)
            #expect(try store.picture(ofSubmittedResult: "a") == bytes)
            #expect(try store.waitingResults(limit: 5).results == [sent])
            // It cannot be sent or changed any more.
            #expect(try !store.send(result("a", number: "s9"), now: now + 61))
            #expect(try !store.keepDraft(result("a", number: "s9"), picture: [1], now: now + 61))
            #expect(try store.submittedResult("a") == sent && store.picture(ofSubmittedResult: "a") == bytes)
        }
    }

    @Test("Without its draft nothing is sent; a code needs none", arguments: Backend.installed)
    func withoutDraft(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try !store.send(result("a"), now: now))
            #expect(try store.keepDraft(result("b"), picture: bytes, now: now))
            #expect(try !store.send(result("b"), now: now + InteractionStore.draftLifetime))
            #expect(try store.send(result("c", proof: .code), now: now))
            #expect(try store.submittedResult("c")?.proof == .code)
            #expect(try store.waitingResultCount() == 1)
        }
    }

    @Test("The oldest waits first, and a list says whether there are more", arguments: Backend.installed)
    func list(backend: Backend) async throws {
        try await backend.withStore { store throws in
            for (reference, at) in [("b", 3), ("c", 1), ("a", 2)] as [(String, Int64)] {
                #expect(try store.send(result(reference, proof: .code), now: now + at))
            }
            let part = try store.waitingResults(limit: 2)
            #expect(part.results.map(\.reference) == ["c", "a"] && part.more)
            let all = try store.waitingResults(limit: 3)
            #expect(all.results.map(\.reference) == ["c", "a", "b"] && !all.more)
        }
    }

    @Test("Of two officers one decides, and the audit says who", arguments: Backend.installed)
    func decision(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try store.keepDraft(result("a"), picture: bytes, now: now))
            #expect(try !store.decide(submittedResult: "a", audit: entry))
            #expect(try store.send(result("a"), now: now))
            #expect(try store.decide(submittedResult: "a", audit: entry))
            #expect(try !store.decide(submittedResult: "a", audit: entry))
            #expect(try store.audit(limit: 5).map { $0.entry } == [entry])
            #expect(try store.submittedResult("a") == nil && store.picture(ofSubmittedResult: "a") == nil)
        }
    }

    @Test("Drafts are bounded in number, and those that have expired make room", arguments: Backend.installed)
    func manyDrafts(backend: Backend) async throws {
        try await backend.withStore { store throws in
            for number in 0..<InteractionStore.mostDrafts {
                #expect(try store.keepDraft(result("d\(number)"), picture: bytes, now: now))
            }
            #expect(try !store.keepDraft(result("more"), picture: bytes, now: now))
            #expect(try store.submittedResult("more") == nil && store.picture(ofSubmittedResult: "more") == nil)
            // Those that are there can still change, and be sent.
            #expect(try store.keepDraft(result("d0"), picture: bytes, now: now))
            #expect(try store.send(result("d0"), now: now))
            #expect(try store.keepDraft(result("more"), picture: bytes, now: now))
            let later = now + InteractionStore.draftLifetime
            #expect(try store.keepDraft(result("later"), picture: bytes, now: later))
            #expect(try store.submittedResult("more") == nil && store.picture(ofSubmittedResult: "more") == nil)
        }
    }

    @Test("Pictures are bounded in bytes, of drafts and of what waits", arguments: Backend.installed)
    func manyBytes(backend: Backend) async throws {
        try await backend.withStore { store throws in
            let half = Int(InteractionStore.mostDraftBytes / 2)
            for reference in ["a", "b"] {
                #expect(try store.keepDraft(result(reference, byteCount: half), picture: bytes, now: now))
            }
            #expect(try !store.keepDraft(result("c", byteCount: 1), picture: bytes, now: now))
            #expect(try store.send(result("b", byteCount: half), now: now))
            for number in 0..<19 {
                let large = result("w\(number)", byteCount: half)
                #expect(try store.keepDraft(large, picture: bytes, now: now))
                #expect(try store.send(large, now: now))
            }
            #expect(try !store.send(result("a"), now: now))
            #expect(try store.submittedResult("a")?.state == .draft)
        }
    }

    @Test("Drafts expire after an hour, and no picture is kept for more than seven days", arguments: Backend.installed)
    func expiry(backend: Backend) async throws {
        try await backend.withStore { store throws in
            for reference in ["draft", "sent"] {
                #expect(try store.keepDraft(result(reference), picture: bytes, now: now))
            }
            #expect(try store.send(result("sent"), now: now + 3599))
            #expect(try store.expireSubmittedResults(now: now + 3599) == 0)
            #expect(try store.expireSubmittedResults(now: now + 3600) == 1)
            #expect(try store.picture(ofSubmittedResult: "draft") == nil)
            // Its picture is older than the result, and is looked for every five minutes.
            #expect(try store.expireSubmittedResults(now: now + 7 * 86_400 - 3600) == 0)
            #expect(try store.expireSubmittedResults(now: now + 7 * 86_400 - 300) == 1)
            #expect(try store.picture(ofSubmittedResult: "sent") == nil && store.waitingResultCount() == 0)
        }
    }

    @Test("A picture without its result does not stay", arguments: Backend.installed)
    func pictureAlone(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try store.keepDraft(result("a"), picture: bytes, now: now))
            #expect(try store.keepDraft(result("b"), picture: bytes, now: now))
            // As a restored backup of one table would leave it.
            _ = try store.database.write { session in
                try session.execute("DELETE FROM submitted_result WHERE reference = 'a'")
            }
            #expect(try store.expireSubmittedResults(now: now) == 0)
            #expect(try store.picture(ofSubmittedResult: "a") == nil)
            #expect(try store.picture(ofSubmittedResult: "b") == bytes)
        }
    }

    @Test("What came while the clock was ahead does not stay until then", arguments: Backend.installed)
    func clockAhead(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try store.send(result("a", proof: .code), now: now + 400 * 86_400))
            #expect(try store.expireSubmittedResults(now: now) == 0)
            #expect(try store.expireSubmittedResults(now: now + 7 * 86_400) == 1)
        }
    }

    @Test(
        "Whoever is erased or leaves the register has no results left, however the number was typed",
        arguments: Backend.installed)
    func people(backend: Backend) async throws {
        try await backend.withStore { store throws in
            let people = [
                Person(number: "s1", name: "Ann", subjects: [phone("first-device")]),
                Person(number: "s2", name: "Ben", subjects: [phone("second-device")]),
                Person(number: "s3", name: "Cy", subjects: []),
            ]
            _ = try store.importPeople(people, keepsOthers: false, isTrial: false)
            for (reference, number) in [("a", "s1"), ("b", " S1 "), ("c", "s2"), ("d", "s3"), ("e", "s4")] {
                #expect(try store.keepDraft(result(reference, number: number), picture: bytes, now: now))
                #expect(try store.send(result(reference, number: number), now: now))
            }
            #expect(try store.submittedResultCount(number: "s1") == 2)
            let erasure = try store.erase(phone("first-device"), now: now)
            #expect(erasure.remaining["submitted_result"] == 0 && erasure.isComplete, "\(erasure)")
            #expect(try store.waitingResults(limit: 9).results.map(\.reference) == ["c", "d", "e"])
            _ = try store.removePerson(number: "s2")
            _ = try store.importPeople(
                [Person(number: "s5", name: "Di", subjects: [])], keepsOthers: false, isTrial: false)
            #expect(try store.waitingResults(limit: 9).results.map(\.reference) == ["e"])
            #expect(try store.picture(ofSubmittedResult: "a") == nil && store.picture(ofSubmittedResult: "c") == nil)
            #expect(try store.erase(number: "s4").erased.submitted == 1)
        }
    }

    @Test("A number with letters beyond ASCII is found and erased", arguments: Backend.installed)
    func lettersBeyondASCII(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try store.send(result("a", number: "Ä-s4É", proof: .code), now: now))
            #expect(try store.submittedResultCount(number: "Ä-S4É") == 1)
            #expect(try store.erase(number: "Ä-S4É").erased.submitted == 1)
            #expect(try store.waitingResultCount() == 0)
        }
    }

    @Test("Typed texts are bounded, and one with the character NUL is stored", arguments: Backend.installed)
    func texts(backend: Backend) async throws {
        try await backend.withStore { store throws in
            var typed = result("a", proof: .code)
            typed.sender.name = "A\0B"
            typed.sender.contact = String(repeating: "é", count: 100_000)
            #expect(try store.send(typed, now: now))
            let stored = try store.submittedResult("a")?.sender
            #expect(stored?.name == "A B" && stored?.contact == String(repeating: "é", count: 500))
        }
    }
}
