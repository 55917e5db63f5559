import InteractionStore
import Pages
import SignIn

extension PageService {
    /// Number of sessions on the page.
    private static let mostSessions = 200

    /// Lists who is signed in, for auditors. Students see only what is their own, so they are counted alone.
    func sessions(_ request: PageRequest) async throws -> PageAnswer {
        try await note(.sawSessions, "", request)
        let (policy, now) = (settings.sessions, request.now)
        let current = try await api.work { store in
            try store.sessions().filter {
                !policy.isOver(created: $0.created, used: $0.used, roles: $0.account.roles, now: now)
            }
        }
        let listed = current.filter { $0.account.roles != [.student] }
        let students = current.count - listed.count
        var extent = OfficerText.count(listed.count, "session", "sessions") + "."
        if listed.count > Self.mostSessions { extent += " Only the latest \(Self.mostSessions) are listed." }
        if students > 0 {
            extent += " Not listed: " + OfficerText.count(students, "session", "sessions") + " of students."
        }
        let words = DayWords(days: configuration.days)
        return page(
            SessionsPage(
                request.frame("Who is signed in", route: .audit), extent: extent,
                rows: listed.prefix(Self.mostSessions).map { session in
                    SessionsPage.Row(
                        name: session.account.name, account: session.account.subject,
                        roles: session.account.roles.sorted().map(\.rawValue).joined(separator: ", "),
                        signedIn: words.time(session.created), lastRequest: words.time(session.used))
                }))
    }
}
