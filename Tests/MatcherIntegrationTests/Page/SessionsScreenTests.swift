import InteractionStore
import Pages
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Sessions on the page", .timeLimit(.minutes(10))) struct SessionsScreenTests {
    @Test("The audit has when people with a role sign in and out, and not when students do", arguments: Role.allCases)
    func signIns(role: Role) async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let token = SessionToken()
            let account = Account(issuer: Account.local, subject: "Demo", name: "Demo", number: "4711", roles: [role])
            let now = api.clock.withLock { $0 }
            try api.store.use { try $0.add(link: token.hash, for: account, expires: now + 300) }
            #expect(try await api.stranger.post("/sign-in/use", ["link": token.text]).status == 303)
            #expect(try await api.browser(role).post("/sign-out").status == 303)
            let actions = try api.store.use { try $0.audit(limit: 10).map { $0.entry.action } }
            #expect(Set(actions) == (role == .student ? [] : [.signedIn, .signedOut]))
        }
    }

    @Test("Auditors see who is signed in, without students and sessions that are over, and the audit has it")
    func list() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            api.clock.withLock { $0 -= 3600 }
            _ = try api.browser(.operator, name: "Otto Idle")
            api.clock.withLock { $0 += 3600 }
            _ = try api.browser(.student, name: "Stella Student")
            let officer = try api.browser(.officer, name: "Olga Officer")
            let auditor = try api.browser(.auditor, name: "Aud Auditor")
            #expect(try await auditor.get("/audit").text.contains("href=\"/sessions\""))
            let shown = try await auditor.get("/sessions")
            #expect(shown.status == 200)
            for text in ["2 sessions.", "Not listed: 1 session of students.", "Olga Officer", "Mon 2026-11-02 12:00"] {
                #expect(shown.text.contains(text), "\(text)")
            }
            #expect(!shown.text.contains("Stella Student") && !shown.text.contains("Otto Idle"))
            let actions = try api.store.use { try $0.audit(limit: 10).map { $0.entry.action } }
            #expect(actions.contains(.sawSessions))
            #expect(try await officer.get("/sessions").status == 403)
            #expect(try await api.browser(.operator).get("/sessions").status == 403)
        }
    }
}
