import FloorPlans
import Testing

@Suite("Forms of floor plans") struct PlanFormTests {
    private func plan() throws -> FloorPlan { try #require(try Plans.parse(Plans.text).first) }

    /// Fields of a form, as a browser sends them.
    private func fields(_ form: PlanForm) -> [String: String] {
        var fields = [
            "name": form.name, "elevation": form.elevation, "height": form.height, "outline": form.outline,
            "wall-attenuation": form.wallAttenuation, "ceiling-attenuation": form.ceilingAttenuation,
        ]
        for (index, row) in form.rooms.enumerated() {
            fields["room-\(index)-name"] = row.name
            fields["room-\(index)-points"] = row.points
            fields["room-\(index)-capacity"] = row.capacity
        }
        for (index, row) in form.doors.enumerated() {
            fields["door-\(index)-at"] = row.at
            fields["door-\(index)-width"] = row.width
        }
        for (index, row) in form.walls.enumerated() {
            fields["wall-\(index)-points"] = row.points
            fields["wall-\(index)-attenuation"] = row.attenuation
        }
        for (index, row) in form.passages.enumerated() {
            fields["passage-\(index)-kind"] = row.kind
            fields["passage-\(index)-name"] = row.name
            fields["passage-\(index)-at"] = row.at
        }
        return fields
    }

    private func mistakes(_ changes: [String: String]) throws -> [PlanForm.Mistake] {
        let fields = self.fields(PlanForm(try plan())).merging(changes) { $1 }
        return PlanForm(fields: fields).read(site: "campus", building: "hb", floor: "2").mistakes
    }

    @Test("The form of a plan reads back to the same plan")
    func roundTrip() throws {
        let plan = try plan()
        let form = PlanForm(fields: fields(PlanForm(plan)))
        #expect(form == PlanForm(plan))
        let read = form.read(site: plan.site, building: plan.building, floor: plan.floor)
        #expect(read.plan == plan)
        #expect(read.mistakes.isEmpty)
    }

    @Test("Rows without text are left out, and the others close up")
    func emptyRows() throws {
        var fields = self.fields(PlanForm(try plan()))
        let count = PlanForm(fields: fields).rooms.count
        fields["room-90-name"] = " Hall "
        fields["room-90-points"] = "0, 0; 2,0\n2,2"
        fields["room-80-name"] = "  "
        fields["door-70-at"] = ""
        fields["passage-60-kind"] = "lift"
        fields["room-x-name"] = "no row"
        fields["room-99999-name"] = "no row either"
        let form = PlanForm(fields: fields)
        #expect(form.rooms.count == count + 1)
        #expect(form.rooms.last?.name == "Hall")
        let read = form.read(site: "campus", building: "hb", floor: "2").plan
        #expect(read?.rooms.last?.polygon.points.count == 3)
        let before = try self.plan()
        #expect(read?.passages == before.passages)
    }

    @Test(
        "A field that cannot be read is named, with what was found",
        arguments: [
            ("outline", "0,0 1,0"), ("outline", ""), ("outline", "0,0 1,0 1"), ("outline", "0,0 1,0 x,y"),
            ("outline", "0,0 1,0 nan,1"), ("outline", "0,0 1,0 99999,1"), ("outline", "0,0 1,0 1,1,1"),
            ("elevation", "high"), ("height", "0.5"), ("wall-attenuation", "-1"), ("name", "a\u{7}b"),
            ("room-0-name", ""), ("room-0-points", "7 6"), ("room-0-capacity", "many"), ("room-0-capacity", "0"),
            ("door-0-at", "1,2 3,4"), ("door-0-width", "0"), ("wall-0-points", "1,1"), ("wall-0-attenuation", "99"),
        ])
    func wrong(_ field: String, _ text: String) throws {
        let mistakes = try mistakes([field: text])
        #expect(mistakes.map(\.field) == [field])
        if !text.isEmpty { #expect(mistakes.first?.text.contains("Found") == true) }
    }

    @Test("All mistakes are found at once, up to a limit")
    func all() throws {
        #expect(try mistakes(["outline": "x", "height": "y"]).map(\.field) == ["height", "outline"])
        var many: [String: String] = [:]
        for row in 0..<600 { many["room-\(row)-points"] = "x" }
        #expect(try mistakes(many).count == 200)
    }

    @Test("A text of points that is too long is refused")
    func long() throws {
        let points = Array(repeating: "1,1", count: PlanLimits.points + 1).joined(separator: " ")
        #expect(try mistakes(["outline": points]).map(\.field) == ["outline"])
    }

    @Test("A problem of a part of the plan belongs to a field of its row")
    func problems() {
        #expect(PlanForm.field(of: .room(floor: 3, 2)) == "room-2-points")
        #expect(PlanForm.field(of: .door(floor: 3, 0)) == "door-0-at")
        #expect(PlanForm.field(of: .passage(floor: 0, 1)) == "passage-1-at")
        #expect(PlanForm.field(of: nil) == "outline")
    }
}
