import Testing

@testable import Rollout

@Suite struct GatewayPathTests {
    @Test func `Floors and gateways are sorted as people count`() throws {
        let paths = ["s/b/10/a", "s/b/2/gw-10", "s/b/2/gw-9", "s/a/1/x", "s/b/2/gw-9a"].compactMap { GatewayPath($0) }
        #expect(
            paths.sorted().map(\.description) == ["s/a/1/x", "s/b/2/gw-9", "s/b/2/gw-9a", "s/b/2/gw-10", "s/b/10/a"])
    }

    @Test(arguments: ["s/b/1", "s/b/1/g/h", "s/b//g", "s/b/1/G", "", "s/b/1/../g"])
    func `A path has four levels that topics can have`(text: String) {
        #expect(GatewayPath(text) == nil)
    }
}
