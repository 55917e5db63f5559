import FloorPlans
import Testing

@testable import Localisation

@Suite("Stated positions of receivers that disagree with what is heard")
struct PlacementCheckTests {
    private func named(
        _ receivers: [PlacementReceiver], _ levels: [MutualLevel] = KnownFloor.levels()
    ) -> [PlacementCheck.Disagreement] {
        PlacementCheck.disagreements(plans: [KnownFloor.plan], receivers: receivers, levels: levels)
    }

    private func moved(_ name: String, to position: PlanPoint) -> [PlacementReceiver] {
        KnownFloor.receivers().map { receiver in
            var receiver = receiver
            if receiver.path.hasSuffix("/\(name)") { receiver.position = position }
            return receiver
        }
    }

    @Test("positions that fit are not named")
    func fitting() {
        #expect(named(KnownFloor.receivers()) == [])
    }

    @Test("a receiver that is stated to be at the other end is named, with where it fits better")
    func moved() throws {
        let found = named(moved("a", to: PlanPoint(x: 19, y: 12)))
        #expect(found.map(\.path) == ["s/b/0/a"])
        let one = try #require(found.first)
        #expect(one.stated == PlanPoint(x: 19, y: 12))
        #expect(one.fitted.position.distance(to: KnownFloor.position("a")) < one.fitted.radius, "\(one)")
    }

    @Test("nothing is said of a receiver with few links")
    func fewLinks() {
        let kept: Set = ["s/b/0/b", "s/b/0/e", "s/b/0/f"]
        let levels = KnownFloor.levels().filter { level in
            let ends = [level.beacon, level.receiver]
            return !ends.contains("s/b/0/a") || ends.contains { kept.contains($0) }
        }
        #expect(named(moved("a", to: PlanPoint(x: 19, y: 12)), levels) == [])
    }

    @Test("receivers without positions are not compared")
    func unknown() {
        #expect(named(KnownFloor.receivers(without: Set(KnownFloor.sites.map(\.name)))) == [])
    }
}
