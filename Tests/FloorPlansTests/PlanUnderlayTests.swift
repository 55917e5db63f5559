import FloorPlans
import Testing

@Suite("Pictures under the drawing of a floor") struct PlanUnderlayTests {
    @Test("Two points with a known distance give the scale and the place")
    func underlay() throws {
        // 100 pixels are 5 m; the first point is 20 pixels from the left and 40 from the top.
        let underlay = try #require(
            PlanUnderlay(
                href: "x", size: (800, 600), first: PlanPoint(x: 20, y: 40), second: PlanPoint(x: 120, y: 40),
                distance: 5, place: PlanPoint(x: 1, y: 30)))
        #expect(underlay.width == 40)
        #expect(underlay.height == 30)
        #expect(underlay.left == 0)
        #expect(underlay.top == 32)
    }

    @Test("Two equal points, and a scale of no floor, are refused")
    func noScale() {
        func underlay(_ x: Double, _ distance: Double) -> PlanUnderlay? {
            PlanUnderlay(
                href: "x", size: (800, 600), first: PlanPoint(x: 0, y: 0), second: PlanPoint(x: x, y: 0),
                distance: distance, place: PlanPoint(x: 0, y: 0))
        }
        #expect(underlay(0, 5) == nil)
        #expect(underlay(10, 0) == nil)
        #expect(underlay(1, 1e6) == nil)
        #expect(underlay(100, 5) != nil)
    }
}
