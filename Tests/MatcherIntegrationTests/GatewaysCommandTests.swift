import InteractionStore
import TestSupport
import Testing

@Suite("Gateways on the command line", .timeLimit(.minutes(10))) struct GatewaysCommandTests {
    @Test func `A gateway is revoked once, and the reason stays that of who revoked it`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = try InteractionStore.open(.sqlite(path))
        let revoke = ["gateways", "revoke", "campus/main/1/east", "--store", path, "--reason"]
        let first = try await TestMatcher.run(revoke + ["stolen"])
        #expect(first.status == 0, "\(first)")
        let again = try await TestMatcher.run(revoke + ["lost"])
        let said = again.errorOutput.joined()
        #expect(again.status == 65 && said.contains("campus/main/1/east is revoked since"), "\(again)")
        #expect(said.contains("stolen") && said.contains("nothing was changed"), "\(again)")
        #expect(try store.gatewayStates().map { $0.revocation?.reason } == ["stolen"])
        #expect(try store.audit(limit: 10).count == 1)
    }
}
