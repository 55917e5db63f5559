import InteractionStore
import SignIn
import Testing

@Suite("Sessions in a store") struct SessionStoreTests {
    private func session(_ hash: String, of subject: String = "olga", used: Int64 = 1000) -> StoredSession {
        StoredSession(
            hash: hash,
            account: Account(
                issuer: "https://login.example", subject: subject, name: "Olga", number: "4711",
                roles: [.officer, .auditor]),
            created: used, used: used)
    }

    @Test("A session comes back as it was stored", arguments: Backend.installed) func stored(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            try store.begin(session("a"))
            #expect(try store.session(hash: "a") == session("a"))
            #expect(try store.session(hash: "b") == nil)
            try store.renew(session: "a", now: 1100)
            try store.renew(session: "a", now: 1050)
            #expect(try store.session(hash: "a")?.used == 1100)
        }
    }

    @Test("The newest sessions of an account stay, and the one that begins", arguments: Backend.installed)
    func limit(backend: Backend) async throws {
        try await backend.withStore { store in
            try store.begin(session("other", of: "lars"))
            for number in 0..<30 { try store.begin(session("s\(number)")) }
            let kept = try store.sessions().map(\.hash)
            #expect(kept.count == InteractionStore.mostSessions + 1)
            #expect(kept.contains("s29"))
            #expect(kept.contains("other"))
            // A clock that was set back.
            try store.begin(session("late", used: 5))
            #expect(try store.session(hash: "late") != nil)
        }
    }

    @Test("Sessions end by account or by number", arguments: Backend.installed) func end(backend: Backend) async throws
    {
        try await backend.withStore { store in
            for hash in ["a", "b"] { try store.begin(session(hash)) }
            try store.begin(session("c", of: "lars"))
            #expect(try store.endSessions(of: "nobody") == 0)
            #expect(try store.endSessions(of: "olga") == 2)
            #expect(try store.endSessions(of: "4711") == 1)
        }
    }

    @Test("Sessions that are over are deleted, with sign-ins and links that are too old", arguments: Backend.installed)
    func old(backend: Backend) async throws {
        try await backend.withStore { store in
            try store.begin(session("old"))
            try store.begin(session("new", of: "lars", used: 3000))
            let attempt = AuthorizationAttempt(returnPath: "/", now: 1000)
            try store.start(attempt)
            try store.add(link: "link", for: session("x").account, expires: 1300)
            try store.removeOldSessions(policy: SessionPolicy(), now: 3000)
            #expect(try store.sessions().map(\.hash) == ["new"])
            #expect(try store.takeAttempt(state: attempt.state) == nil)
            #expect(try store.take(link: "link", now: 1200) == nil)
        }
    }

    @Test("A sign-in in progress and a link can be taken once", arguments: Backend.installed)
    func once(backend: Backend) async throws {
        try await backend.withStore { store in
            let attempt = AuthorizationAttempt(returnPath: "/reports", now: 1000)
            try store.start(attempt)
            #expect(try store.takeAttempt(state: attempt.state) == attempt)
            #expect(try store.takeAttempt(state: attempt.state) == nil)
            try store.add(link: "link", for: session("x").account, expires: 1300)
            #expect(try store.take(link: "link", now: 1000)?.roles == [.officer, .auditor])
            #expect(try store.take(link: "link", now: 1000) == nil)
        }
    }

    @Test("A report that is not there cannot be decided, and the audit has nothing of it", arguments: Backend.installed)
    func decisions(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = session("a").account
            let entry = AuditEntry(at: 2000, account: account, action: .refusedReport, object: "r")
            let refusal = ReportDecision(.refused, reason: "wrong person", name: "Olga", at: 2000)
            let decided = try store.decide(refusal, report: "r", audit: entry)
            #expect(decided == .unknownReport)
            #expect(try store.audit(limit: 10).isEmpty)
        }
    }

    @Test("The audit is searched without regard to capitals, in names of any script", arguments: Backend.installed)
    func auditSearch(backend: Backend) async throws {
        try await backend.withStore { store in
            var account = session("a").account
            account.name = "\u{D6}zlem \u{C5}str\u{F6}m \u{414}100%"
            try store.note(AuditEntry(at: 1, account: account, action: .sawPerson, object: "S1_x"))
            account.name = "Ben"
            try store.note(AuditEntry(at: 2, account: account, action: .sawReport, object: "S12x"))
            for text in [
                "\u{D6}zlem", "\u{F6}zlem", "\u{D6}ZLEM", "\u{E5}str\u{F6}m", "\u{C5}STR\u{D6}M", "\u{434}100%",
                "s1_X", "SAW person",
            ] {
                #expect(try store.audit(containing: text, limit: 10).map { $0.entry.object } == ["S1_x"], "\(text)")
            }
            for text in ["zlem%str", "\\", "10_%", "s1\u{301}"] {
                #expect(try store.audit(containing: text, limit: 10).isEmpty, "\(text)")
            }
        }
    }
}
