import Testing

@testable import Rollout

@Suite struct RolloutStageTests {
    private let gateways = ["s/a/1/w", "s/a/1/e", "s/a/2/n", "s/b/1/x", "t/a/1/y"].compactMap { GatewayPath($0) }

    private func names(_ stages: [RolloutStage], first: String? = nil) -> [[String]] {
        RolloutStage.divide(gateways, into: stages, first: first.flatMap { GatewayPath($0) }).stages
            .map { $0.gateways.map(\.description) }
    }

    @Test func `One gateway goes first, then its floor, its building, and all others`() {
        #expect(
            names(RolloutStage.usual) == [["s/a/1/e"], ["s/a/1/w"], ["s/a/2/n"], ["s/b/1/x", "t/a/1/y"]])
    }

    @Test func `The first gateway can be chosen, and stages without gateways are left out`() {
        #expect(
            names([.gateway, .floor, .site], first: "s/b/1/x") == [["s/b/1/x"], ["s/a/1/e", "s/a/1/w", "s/a/2/n"]])
        #expect(names([.gateway], first: "z/z/z/z") == [["s/a/1/e"]])
    }

    @Test func `Places are stages, and gateways in none are left out`() throws {
        let stages = try ["s/a/2", "s/b"].map { try #require(RolloutStage($0)) }
        let result = RolloutStage.divide(gateways, into: stages, first: nil)
        #expect(result.stages.map { $0.gateways.map(\.description) } == [["s/a/2/n"], ["s/b/1/x"]])
        #expect(result.leftOut.map(\.description) == ["s/a/1/e", "s/a/1/w", "t/a/1/y"])
        #expect(RolloutStage("s//x") == nil && RolloutStage("flor") == nil)
    }
}
