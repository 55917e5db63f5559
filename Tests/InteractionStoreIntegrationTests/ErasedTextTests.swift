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

@Suite("Erasing a subject from texts that people wrote") struct ErasedTextTests {
    private let now = morning + 4 * 3600

    @Test(arguments: Backend.installed)
    func `The audit keeps who saw whom and when, without the name of whoever is erased`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (subject, longer) = (phone("person-3-with-a-name"), phone("person-3-with-a-name-too"))
            _ = try store.store([record(1, longer.id, 0...1)], now: now)
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            for (object, detail) in [
                (subject.description, "with rooms"), (subject.id, ""), (longer.description, ""),
                ("a", "\(subject): present"), ("a", "\(longer): present"),
            ] {
                try store.note(
                    AuditEntry(at: now, account: account, action: .sawPerson, object: object, detail: detail))
            }
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(
                entries == [
                    "(erased); with rooms", "(erased); ", "\(longer); ", "a; (erased): present",
                    "a; \(longer): present",
                ])
        }
    }

    // PostgreSQL said that nothing was left, and SQLite could not be erased any more.
    @Test(arguments: Backend.installed)
    func `A badge is erased from texts with other words around it, and a longer one stays`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let id = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/77"
            let subject = try #require(SubjectIdentity("badge:\(id)"))
            let gateway = "campus/main/2/thief"
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.operator])
            func text(_ name: String) -> String { "claimed the badge \(name) of a student" }
            for (number, reason) in [text(id), text(id + "1"), text(id.uppercased())].enumerated() {
                let entry = AuditEntry(
                    at: now, account: account, action: .revokedGateway, object: "\(gateway)\(number)", detail: reason)
                try store.revoke("\(gateway)\(number)", reason: reason, now: now, audit: entry)
            }
            try store.note(AuditEntry(at: now, account: account, action: .searchedPeople, object: " \(id)"))
            try store.issue(codes: ["a"], label: "for \(id)", uses: 1, expires: now + 60, now: now)
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(["audit", "revoked_gateway", "enrolment"].allSatisfy { erasure.remaining[$0] == 0 })
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(
                entries == [
                    "\(gateway)0; \(text("(erased)"))", "\(gateway)1; \(text(id + "1"))",
                    "\(gateway)2; \(text("(erased)"))", " (erased); ",
                ])
            #expect(
                try store.gatewayStates().map(\.revocation?.reason)
                    == [text("(erased)"), text(id + "1"), text("(erased)")])
            #expect(try store.enrolments().map(\.label) == ["for (erased)"])
        }
    }

    // Whoever looked for what is left of an erased badge brought its name back.
    @Test(arguments: Backend.installed)
    func `An entry about whoever was erased does not have the name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            _ = try store.erase(phone("ann-with-a-phone"), now: now)
            for name in ["ann-with-a-phone", "ben-with-a-phone"] {
                try store.note(
                    AuditEntry(at: now, account: account, action: .sawPerson, object: phone(name).description))
            }
            #expect(try store.audit(limit: 10).map { $0.entry.object } == ["phone:ben-with-a-phone", "(erased)"])
        }
    }

    @Test(arguments: [
        ("ann sm", "ann sm"), (" ann\t", "ann"), (" phone:ann ", "phone:ann"),
        (
            " E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/77", "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/77"
        ),
    ])
    func `A search is noted without white space around it, and a badge in its form`(text: String, noted: String) {
        #expect(AuditEntry.searched(text) == noted)
    }

    // An officer has looked at the person of another phone with a short name.
    @Test(arguments: Backend.installed)
    func `A short name in the audit is found beside its kind, and a longer one is another's`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            _ = try store.store([record(1, "one10", 0...1)], now: now)
            for object in ["phone:one", "phone:one10", "one"] {
                try store.note(AuditEntry(at: now, account: account, action: .sawPerson, object: object))
            }
            #expect(try store.erase(phone("one"), now: now).isComplete)
            #expect(
                try store.audit(limit: 10).reversed().map { $0.entry.object } == ["(erased)", "phone:one10", "one"])
        }
    }

    @Test(arguments: Backend.installed)
    func `An erasure is incomplete if a text has the name beside a letter, and says where`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = phone("0123456789abcdef0123456789abcdef")
            try store.revoke("campus/main/2/thief", reason: "of x\(subject.id)", now: now)
            let erasure = try store.erase(subject, now: now)
            #expect(!erasure.isComplete && erasure.remainingTables == ["revoked_gateway"], "\(erasure)")
            #expect(try store.gatewayStates().map(\.revocation?.reason) == ["of x\(subject.id)"])
        }
    }

    // The proof said that the file did not hold the id.
    @Test(arguments: Backend.installed)
    func `A phone is erased from a reason with signs beside it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = phone("0123456789abcdef0123456789abcdef")
            let reason = "id=\(subject.id), owner \(subject):lost it, ?subject=phone%3A\(subject.id)"
            try store.revoke("campus/main/2/thief", reason: reason, now: now)
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(
                try store.gatewayStates().map(\.revocation?.reason)
                    == ["id=(erased), owner (erased):lost it, ?subject=(erased)"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A word that is an id stays in texts without its kind`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            for (action, object, detail) in [
                (.filedReport, "r", "confirmed"), (.sawPerson, "confirmed", ""),
                (.searchedPeople, "confirmed", ""), (.sawPerson, "phone:confirmed", ""),
            ] as [(AuditEntry.Action, String, String)] {
                try store.note(AuditEntry(at: now, account: account, action: action, object: object, detail: detail))
            }
            let erasure = try store.erase(phone("confirmed"), now: now)
            #expect(erasure.isComplete, "\(erasure)")
            try store.note(AuditEntry(at: now, account: account, action: .searchedPeople, object: "confirmed"))
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(entries == ["r; confirmed", "confirmed; ", "(erased); ", "(erased); ", "(erased); "])
        }
    }

    @Test(arguments: Backend.installed)
    func `The reason of a correction does not keep a name, and one with another number stays`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"))
            for reason in ["had \(subject.id)", "had \(subject.id)1"] {
                try store.correct(
                    Correction(
                        lecture: "a", student: "s1", at: now, by: "Lea", reason: reason, from: .absent, to: .present))
            }
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(try store.corrections().map(\.reason) == ["had (erased)", "had \(subject.id)1"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A drawn floor that names a badge stays, and the erasure is incomplete`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"))
            let floor = DrawnFloor(path: "campus/hb/1", toml: "# of \(subject.id)", by: "Olga", at: now)
            _ = try store.save([DrawnFloor.Change(floor, base: 0)], audit: [])
            let erasure = try store.erase(subject, now: now)
            #expect(!erasure.isComplete && erasure.remainingTables == ["floor_plan"], "\(erasure)")
            #expect(try store.drawnFloors().map(\.toml) == [floor.toml])
        }
    }

    @Test(arguments: Backend.installed)
    func `Codes of two labels stay two groups if both named whoever was erased`(backend: Backend) async throws {
        try await backend.withStore { store in
            let id = "0123456789abcdef0123456789abcdef"
            try store.issue(codes: ["a", "b"], label: "for \(id)", uses: 1, expires: now + 60, now: now)
            try store.issue(codes: ["c"], label: "for phone:\(id)", uses: 1, expires: now + 60, now: now)
            #expect(try store.erase(phone(id), now: now).isComplete)
            let left = try store.enrolments()
            #expect(left.map(\.codes).sorted() == [1, 2])
            #expect(left.allSatisfy { $0.label.hasPrefix("for (erased)") })
        }
    }

    @Test(arguments: Backend.installed)
    func `An entry about an erased badge has its name neither as the object nor in the detail`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.operator])
            let subject = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"))
            _ = try store.erase(subject, now: now)
            for id in [subject.id, subject.id + "1"] {
                try store.note(
                    AuditEntry(
                        at: now, account: account, action: .decidedBeacon, object: id, detail: "as \(id) was seen"))
            }
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(entries == ["(erased); as (erased) was seen", "\(subject.id)1; as \(subject.id)1 was seen"])
        }
    }
}
