import SignIn
import SystemIO
import TestSupport
import Testing

@testable import InteractionStore

@Suite("Verification codes in a store") struct CodeStoreTests {
    private let officer = Account(issuer: "local", subject: "olga", name: "Olga", roles: [.officer])

    private func code(_ hash: String, isLong: Bool = false, expires: Int64 = 100) -> IssuedCode {
        IssuedCode(hash: hash, isLong: isLong, test: 20_000, onset: nil, issued: 1, expires: expires, issuer: "Olga")
    }

    private func entry(_ now: Int64 = 1) -> AuditEntry { AuditEntry(at: now, account: officer, action: .issuedCodes) }

    @Test(arguments: Backend.installed)
    func `A code is taken once, with what was issued with it`(backend: Backend) async throws {
        try await backend.withStore { store in
            var long = code("b", isLong: true)
            long.onset = 19_998
            #expect(try store.issue(codes: [code("a"), long], audit: entry(), now: 1) == Set(["a", "b"]))
            let open = try store.openCodes(now: 1)
            #expect(open.short == 1 && open.long == 1)
            #expect(try store.take(code: "c", now: 2) == nil)
            #expect(try store.take(code: "a", now: 2) == code("a"))
            #expect(try store.take(code: "a", now: 2) == nil)
            #expect(try store.take(code: "b", now: 99) == long)
            let left = try store.openCodes(now: 2)
            #expect(left.short == 0 && left.long == 0)
            let audit = try store.audit(limit: 10).map { $0.entry }
            #expect(audit.map(\.action) == [.issuedCodes] && audit.first?.name == "Olga")
        }
    }

    @Test(arguments: Backend.installed)
    func `A code that has expired is not taken, and is deleted`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.issue(codes: [code("a", expires: 100), code("b", expires: 200)], audit: entry(), now: 1)
            #expect(try store.take(code: "a", now: 100) == nil)
            #expect(try store.openCodes(now: 100).short == 1)
            _ = try store.enforceRetention(days: 14, now: 100)
            let count = try store.database.read { session in
                try session.first("SELECT count(*) FROM verification_code") { $0.integer(0) }
            }
            #expect(count == 1)
            #expect(try store.take(code: "b", now: 150) == code("b", expires: 200))
        }
    }

    @Test(arguments: Backend.installed)
    func `A code that there is already is not issued again`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.issue(codes: [code("a")], audit: entry(), now: 1)
            var other = code("a")
            other.test = 20_001
            #expect(try store.issue(codes: [other, code("b")], audit: entry(), now: 1) == Set(["b"]))
            #expect(try store.take(code: "a", now: 2)?.test == 20_000)
        }
    }

    @Test(arguments: Backend.installed)
    func `There are ten thousand codes at most, and those that have expired make room`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let most = (1...InteractionStore.mostCodes).map { code("\($0)", expires: $0 == 1 ? 50 : 100) }
            let stored = try store.issue(codes: most, audit: entry(), now: 1)
            #expect(stored?.count == most.count)
            #expect(try store.issue(codes: [code("a")], audit: entry(), now: 49) == nil)
            #expect(try store.issue(codes: [code("a"), code("b")], audit: entry(), now: 50) == nil)
            #expect(try store.issue(codes: [code("a")], audit: entry(), now: 50) == Set(["a"]))
        }
    }

    @Test(arguments: Backend.installed)
    func `Of eight who take a code at once one gets it`(backend: Backend) async throws {
        try await backend.with { location in
            let issued = try InteractionStore.open(location).issue(codes: [code("a")], audit: entry(), now: 1)
            #expect(issued?.count == 1)
            let taken = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await DedicatedThread.run(name: "codes") {
                            Result { try InteractionStore.open(location).take(code: "a", now: 2) == nil ? 0 : 1 }
                        }.get()
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(taken == 1)
        }
    }
}
