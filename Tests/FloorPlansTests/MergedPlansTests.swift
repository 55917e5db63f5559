import FloorPlans
import Testing

@Suite("Plans of a file, and floors that were drawn") struct MergedPlansTests {
    private func floor(
        _ floor: String, room: String, elevation: Double = 0, building: String = "hb"
    ) -> FloorPlan {
        FloorPlan(
            site: "campus", building: building, floor: floor, elevation: elevation,
            outline: Plans.rectangle(0, 0, 10, 8),
            rooms: [FloorPlan.Room(name: room, polygon: Plans.rectangle(0, 0, 5, 5))])
    }

    private func drawn(_ plans: FloorPlan...) -> [(path: String, toml: String)] {
        plans.map { (path: $0.path, toml: FloorPlanFile.text(of: [$0])) }
    }

    @Test("A drawn floor takes the place of the one with its path, and others are added")
    func merged() {
        let file = [floor("1", room: "A"), floor("2", room: "B", elevation: 3)]
        let other = floor("1", room: "C", building: "annex")
        let merged = MergedPlans(file: file, drawn: drawn(floor("2", room: "D", elevation: 3), other))
        #expect(merged.plans.map(\.path) == ["campus/hb/1", "campus/hb/2", "campus/annex/1"])
        #expect(merged.plans.map { $0.rooms.map(\.name) } == [["A"], ["D"], ["C"]])
        #expect(merged.drawn == ["campus/hb/2", "campus/annex/1"])
        #expect(merged.warnings.isEmpty)
    }

    @Test("Drawn floors of a building that contradict its file do not count, and those of others do")
    func contradiction() {
        let other = floor("1", room: "A", building: "annex")
        // The file got a room of the same name since.
        let merged = MergedPlans(
            file: [floor("1", room: "A")], drawn: drawn(floor("2", room: "A", elevation: 3), other))
        #expect(merged.plans.map(\.path) == ["campus/hb/1", "campus/annex/1"])
        #expect(merged.drawn == ["campus/annex/1"])
        #expect(merged.warnings.count == 1)
        #expect(merged.warnings.first?.hasPrefix("campus/hb: floors that were drawn on the page do not count") == true)
    }

    @Test("Without a drawing, others that contradict the file's floor in its place would be lost")
    func loss() {
        let file = [floor("1", room: "A"), floor("2", room: "B", elevation: 3)]
        let other = floor("1", room: "A", building: "annex")
        let drawn = drawn(floor("1", room: "C"), floor("2", room: "A", elevation: 3), other)
        let first = MergedPlans.loss(withoutDrawn: "campus/hb/1", file: file, drawn: drawn)
        #expect(first.floors == ["campus/hb/2"])
        #expect(first.reasons.count == 1)
        #expect(first.reasons.first?.hasPrefix("campus/hb: ") == true)
        let second = MergedPlans.loss(withoutDrawn: "campus/hb/2", file: file, drawn: drawn)
        #expect(second.floors.isEmpty && second.reasons.isEmpty)
        #expect(MergedPlans.loss(withoutDrawn: "campus/annex/1", file: file, drawn: drawn).floors.isEmpty)
    }

    @Test("A drawn floor that cannot be read, or is another, does not count", arguments: ["", "[[floors]", "x = 1"])
    func damaged(_ toml: String) {
        let file = [floor("1", room: "A")]
        let damaged = MergedPlans(file: file, drawn: [(path: "campus/hb/1", toml: toml)])
        #expect(damaged.plans == file)
        #expect(damaged.warnings.count == 1)
        let other = FloorPlanFile.text(of: [floor("3", room: "C")])
        #expect(MergedPlans(file: file, drawn: [(path: "campus/hb/1", toml: other)]).plans == file)
    }
}
