import BeaconModel
import InteractionStore
import SignIn
import SystemIO
import TestSupport
import Testing

@Suite("Sessions from the command line", .timeLimit(.minutes(10))) struct SessionsCommandTests {
    /// A store with sessions that were used last some seconds ago.
    private static func prepared(
        _ directory: TemporaryDirectory, _ sessions: [(name: String, role: Role, ago: Int64)]
    ) throws -> (InteractionStore, options: [String]) {
        let path = directory.path + "/s.sqlite"
        let store = try InteractionStore.open(.sqlite(path))
        let now = WallClock.now().microseconds / 1_000_000
        for (name, role, ago) in sessions {
            let account = Account(issuer: "https://login.example", subject: name, name: name, roles: [role])
            try store.begin(StoredSession(hash: name, account: account, created: now - ago, used: now - ago))
        }
        return (store, ["--store", path])
    }

    @Test func `Sessions that are over are neither listed nor counted`() async throws {
        let directory = try TemporaryDirectory()
        let (_, options) = try Self.prepared(
            directory, [("olga", .officer, 60), ("otto", .operator, 3600), ("stella", .student, 86_400)])
        let table = try await TestMatcher.run(["sessions"] + options)
        #expect(table.output.count == 3 && !table.output.joined().contains("otto"), "\(table)")
        #expect(table.errorOutput.contains { $0.contains("2 sessions") }, "\(table)")
        let json = try await TestMatcher.run(["sessions", "list", "--json"] + options)
        #expect(json.output.count == 2 && !json.output.joined().contains("otto"), "\(json)")
        let revoked = try await TestMatcher.run(["sessions", "revoke", "--all"] + options)
        #expect(revoked.output == ["2 sessions ended"], "\(revoked)")
    }

    @Test func `Revoking ends also what is over, and does not count it`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try Self.prepared(directory, [("otto", .operator, 3600), ("olga", .officer, 60)])
        let revoked = try await TestMatcher.run(["sessions", "revoke", "otto"] + options)
        #expect(revoked.status == 0 && revoked.output == ["0 sessions ended"], "\(revoked)")
        #expect(try store.sessions().map(\.account.name) == ["olga"])
    }
}
