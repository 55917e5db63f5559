import OperatorText
import SignIn
import Testing

@testable import MatcherDaemon

@Suite("Configuration of roles") struct RoleConfigurationTests {
    private func sessions(_ roles: String) throws -> SessionPolicy? {
        let page = """
            [api]
            listen = "127.0.0.1:8480"
            [page]
            base-url = "https://beacons.campus.example"
            [login]
            issuer = "https://login.campus.example"
            client-id = "beacon-matcher"
            client-secret-file = "/secret"

            """
        return try MatcherConfiguration.parse(page + roles, path: "m.toml") { _ in Array("secret".utf8) }.page?.sessions
    }

    private func role(_ name: String, _ value: String, session: String? = nil) -> String {
        "[[roles]]\nrole = \"\(name)\"\nvalue = \"\(value)\"\n"
            + (session.map { "session = \"\($0)\"\n" } ?? "")
    }

    @Test func `Of several limits of one role, the shortest counts in any order`() throws {
        for limits in [["1h", "8h"], ["8h", "1h"]] {
            let roles = zip(["a", "b"], limits).map { role("officer", $0, session: $1) }.joined()
            #expect(try sessions(roles + role("officer", "c"))?.limits == [.officer: 3600])
        }
    }
}
