import SignIn
import Testing

@Suite("Limits of sessions") struct SessionPolicyTests {
    private let policy = SessionPolicy()

    private func isOver(_ roles: Set<Role>, created: Int64 = 0, used: Int64, now: Int64) -> Bool {
        policy.isOver(created: created, used: used, roles: roles, now: now)
    }

    @Test("A session ends half an hour after its last request") func idle() {
        #expect(!isOver([.officer], used: 1000, now: 1000 + 1799))
        #expect(isOver([.officer], used: 1000, now: 1000 + 1800))
    }

    @Test("A session ends twelve hours after the sign-in, however much it is used") func absolute() {
        #expect(!isOver([.officer], used: 43_199, now: 43_199))
        #expect(isOver([.officer], used: 43_199, now: 43_200))
    }

    @Test("A student stays signed in for a week without a request") func student() {
        #expect(!isOver([.student], used: 0, now: 7 * 86_400 - 1))
        #expect(isOver([.student], used: 0, now: 7 * 86_400))
    }

    @Test("A student with another role has the shorter limits") func several() {
        #expect(isOver([.student, .lecturer], used: 0, now: 1800))
        #expect(policy.limit(of: [.student, .lecturer]) == SessionPolicy.standardLimit)
    }

    @Test("A configured limit applies to its role") func configured() {
        let policy = SessionPolicy(limits: [.auditor: 600])
        #expect(policy.limit(of: [.auditor]) == 600)
        #expect(policy.idleLimit(of: [.auditor]) == 600)
        #expect(policy.limit(of: [.officer]) == SessionPolicy.standardLimit)
    }

    @Test("A session of the future is over") func future() {
        #expect(isOver([.student], created: 1000, used: 1000, now: 0))
    }

    @Test("Extreme times do not trap") func extremes() {
        _ = isOver([.officer], created: .min / 2, used: .min / 2, now: .max / 4)
    }
}
