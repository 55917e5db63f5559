import FloorPlans
import TestValues
import Testing

@Suite struct LabelLayoutTests {
    private static let bounds = LabelLayout.Box(center: PlanPoint(x: 0, y: 0), width: 100, height: 100)

    private func layout(names: [LabelLayout.Box] = []) -> LabelLayout {
        LabelLayout(bounds: Self.bounds, names: names, radius: 0.5, size: 1)
    }

    private func dot(_ x: Double, _ y: Double, _ label: String = "Anna Smith") -> LabelLayout.Dot {
        LabelLayout.Dot(center: PlanPoint(x: x, y: y), label: label)
    }

    @Test func `A label alone is above its dot`() throws {
        let place = try #require(layout().places(of: [dot(0, 0)])[0])
        #expect(place.center.x == 0)
        #expect(place.center.y < -0.5)
    }

    @Test func `A label whose place has a name takes the next one`() throws {
        let name = LabelLayout.Box(text: "HB 2.11", center: PlanPoint(x: 0, y: -1.6), size: 1)
        let place = try #require(layout(names: [name]).places(of: [dot(0, 0)])[0])
        #expect(!place.overlaps(name))
        #expect(place.center.x > 0)
    }

    @Test func `Where there is room, a label covers no other dot`() throws {
        let places = layout().places(of: [dot(0, 0), dot(0, -1.2, "")])
        let place = try #require(places[0])
        #expect(!place.overlaps(LabelLayout.Box(center: PlanPoint(x: 0, y: -1.2), width: 1, height: 1)))
        #expect(places[1] == nil)
    }

    @Test func `Labels of many dots cover neither each other nor names, and stay in the picture`() {
        var random = SeededGenerator(seed: 7)
        let names = (0..<20).map { number in
            LabelLayout.Box(
                text: "Room \(number)",
                center: PlanPoint(x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random)),
                size: 1.5)
        }
        let dots = (0..<300).map { number in
            dot(.random(in: -50...50, using: &random), .random(in: -50...50, using: &random), "Person \(number)")
        }
        let places = layout(names: names).places(of: dots)
        #expect(places.count == dots.count)
        let shown = places.compactMap(\.self)
        #expect(shown.count > 10)
        #expect(places.dropFirst(LabelLayout.most).compactMap(\.self).isEmpty)
        for (index, place) in shown.enumerated() {
            let others = names + shown[..<index]
            #expect(!others.contains { $0.overlaps(place) })
            #expect(Self.bounds.contains(place))
        }
    }

    @Test func `A label that has no room is left out`() {
        let dots = (0..<20).map { dot(0, 0, "Somebody with a long name \($0)") }
        let places = layout().places(of: dots)
        #expect(places[0] != nil)
        #expect(places.contains { $0 == nil })
        let tiny = LabelLayout(
            bounds: .init(center: PlanPoint(x: 0, y: 0), width: 2, height: 2), names: [], radius: 0.5, size: 1)
        #expect(tiny.places(of: [dot(0, 0)]) == [nil])
    }

    @Test func `What is not a number has no place`() {
        let places = layout().places(of: [dot(.nan, 0), dot(0, .infinity)])
        #expect(places.compactMap(\.self).isEmpty)
    }
}
