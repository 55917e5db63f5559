import BeaconModel
import FloorPlans
import OperatorText
import Testing

@Suite struct FloorPlanCheckTests {
    /// Problems of the plan of `Plans.text` after a change.
    private func problems(
        receivers: [PlanReceiver]? = Plans.receivers, _ change: (inout FloorPlan) -> Void = { _ in }
    ) throws -> [String] {
        var plan = try #require(try Plans.parse(Plans.text).first)
        plan.passages = []
        change(&plan)
        return FloorPlanCheck.problems(of: [plan], receivers: receivers).map(Self.text)
    }

    private static func text(_ problem: FloorPlanProblem) -> String {
        "\(problem.severity.rawValue): \(problem.location): \(problem.found); \(problem.remedy)"
    }

    @Test func `Nothing is said of a plan with which nothing is wrong`() throws {
        #expect(try problems() == [])
    }

    @Test func `A polygon that crosses itself is an error with the edges`() throws {
        let found = try problems { $0.rooms[0].polygon.points.swapAt(2, 3) }
        #expect(
            found.contains {
                $0.hasPrefix(
                    "error: campus/hb/2, room HB 2.11: crosses itself: the edge after point 2 crosses that after point 4"
                )
            }, "\(found)")
    }

    @Test func `A polygon that crosses itself in a corner is an error`() throws {
        let found = try problems {
            $0.rooms[0].polygon = PlanPolygon(
                [(0, 0), (3, 3), (6, 6), (6, 0), (3, 3), (0, 6)].map { PlanPoint(x: $0.0, y: $0.1) })
        }
        #expect(found.contains { $0.contains("room HB 2.11: crosses itself") }, "\(found)")
    }

    @Test func `Rooms that overlap are an error with the area`() throws {
        let found = try problems { $0.rooms[1].polygon = Plans.rectangle(6.5, 0, 11.5, 6) }
        #expect(
            found == [
                "error: campus/hb/2, room HB 2.12: overlaps room HB 2.11 by 3.00 m²; each point of a floor must belong to one room"
            ])
    }

    @Test func `Rooms that share an edge, or overlap by the width of a line, are fine`() throws {
        #expect(try problems { $0.rooms[1].polygon = Plans.rectangle(6.995, 0, 11.005, 6) } == [])
    }

    @Test func `A room in the bay of a concave room does not overlap it`() throws {
        let shape = [(0, 0), (18, 0), (18, 6), (12, 6), (12, 2), (6, 2), (6, 6), (0, 6)]
        let concave = PlanPolygon(shape.map { PlanPoint(x: Double($0.0), y: Double($0.1)) })
        let found = try problems(receivers: nil) {
            $0.rooms[0].polygon = concave
            $0.rooms[1].polygon = Plans.rectangle(6, 2, 6, 4)
        }
        #expect(found == [])
        let inside = try problems(receivers: nil) {
            $0.rooms[0].polygon = concave
            $0.rooms[1].polygon = Plans.rectangle(6, 1, 6, 5)
        }
        #expect(inside.first?.contains("overlaps room HB 2.11 by 6.00 m²") == true, "\(inside)")
    }

    @Test func `A room outside the outline is an error, wholly or in part`() throws {
        let part = try problems(receivers: nil) { $0.rooms[1].polygon = Plans.rectangle(7, 0, 12, 6) }
        #expect(part.first?.contains("room HB 2.12: is outside the floor's outline with 6.00 m² of 72.0 m²") == true)
        let whole = try problems(receivers: nil) { $0.rooms[1].polygon = Plans.rectangle(70, 0, 12, 6) }
        #expect(whole.first?.contains("room HB 2.12: is outside the floor's outline;") == true, "\(whole)")
    }

    @Test func `A room without area is an error`() throws {
        let found = try problems(receivers: nil) { $0.rooms[1].polygon = Plans.rectangle(8, 0, 0, 6) }
        #expect(found.first?.contains("room HB 2.12: has no area") == true, "\(found)")
    }

    @Test func `Coordinates in centimetres are recognized by the size of the floor`() throws {
        let found = try problems(receivers: nil) { $0.outline = Plans.rectangle(0, 0, 1800, 900) }
        #expect(found.first?.contains("outline: is 1800 m by 900 m; coordinates must be in metres: divide") == true)
    }

    @Test func `Names of rooms are unique in a building, without regard to case and spaces`() throws {
        let found = try problems(receivers: nil) { $0.rooms[1].name = "hb  2.11" }
        #expect(found.first?.contains("room hb  2.11: exists twice; names of rooms must be unique") == true)
        var plans = try Plans.parse(Plans.text)
        plans.append(plans[0])
        plans[1].floor = "3"
        plans[1].elevation = 9.6
        let both = FloorPlanCheck.problems(of: plans).map(Self.text)
        #expect(both.count == 3)
        #expect(both[0].contains("campus/hb/3, room HB 2.11: also exists on campus/hb/2"))
    }

    @Test func `A door that is on no wall is an error, and a room without a door is told`() throws {
        let found = try problems(receivers: nil) { $0.doors[0].position = PlanPoint(x: 3, y: 3) }
        #expect(found.count == 2)
        #expect(found[0].contains("error: campus/hb/2, door at 3.00, 3.00: is not on a wall or the edge of a room"))
        #expect(found[1].contains("warning: campus/hb/2, room HB 2.11: has no door; add [[floors.doors]]"))
    }

    @Test func `A door may be a hand beside its wall`() throws {
        #expect(try problems { $0.doors[0].position.y = 6.25 } == [])
    }

    @Test func `A receiver without a position is told`() throws {
        var receivers = Plans.receivers
        receivers.append(PlanReceiver(path: "campus/hb/2/d"))
        #expect(
            try problems(receivers: receivers).map { $0.prefix(50) }
                == ["warning: campus/hb/2, receiver d: has no position;"].map { $0.prefix(50) })
    }

    @Test func `A receiver outside of its floor or of the room that it names is an error`() throws {
        var receivers = Plans.receivers
        receivers.append(Plans.receiver("d", 18.2, 1))
        receivers.append(Plans.receiver("e", 18.4, 1))
        receivers.append(Plans.receiver("f", 7.2, 1, room: "HB 2.11"))
        receivers.append(Plans.receiver("g", 7.4, 1, room: "HB 2.11"))
        let found = try problems(receivers: receivers)
        #expect(found.count == 2, "\(found)")
        #expect(found[0].contains("receiver e: is at 18.40, 1.00, outside the floor's outline"))
        #expect(found[1].contains("receiver g: is at 7.40, 1.00, outside room HB 2.11, which it names"))
    }

    @Test func `A height from the building's origin is recognized`() throws {
        var receivers = Plans.receivers
        receivers.append(Plans.receiver("d", 3, 3, z: 8.4))
        receivers.append(Plans.receiver("e", 3, 3, z: -1))
        let found = try problems(receivers: receivers)
        #expect(found.count == 2)
        #expect(
            found[0].contains(
                "z = 8.40; the floor is 3.2 m high; z counts from the floor and not from the building's origin: 2.00"))
        #expect(found[1].contains("z must be the height above the floor"))
    }

    @Test func `A receiver that names a room which is not on the plan is told`() throws {
        var receivers = Plans.receivers
        receivers.append(Plans.receiver("d", 3, 3, room: "HB 2.13"))
        #expect(
            try problems(receivers: receivers).first?.contains("names the room \"HB 2.13\", which is not on the plan")
                == true)
    }

    @Test func `A room needs a receiver inside and one outside of its door`() throws {
        let none = try problems(receivers: Array(Plans.receivers.dropFirst()))
        #expect(none.count == 1)
        #expect(
            none[0].contains(
                "room HB 2.11: has no receiver inside: people in the room cannot be told from those outside; place a receiver in the room"
            ))
        let inside = try problems(receivers: [Plans.receivers[0]])
        #expect(
            inside.contains {
                $0.contains("room HB 2.11: has a receiver inside, but none outside within 10 m of a door")
            })
        #expect(inside.contains { $0.contains("corridor: has no receiver inside: people in the room cannot") })
    }

    @Test func `A floor without receivers is told, and receivers without a plan are`() throws {
        let found = try problems(receivers: [Plans.receiver("x", 1, 1, floor: "3")])
        #expect(found.count == 2)
        #expect(found[0].contains("campus/hb/2: has a plan, but no receiver has sent records"))
        #expect(found[1].contains("campus/hb/3: has a receiver, but no plan"))
    }

    @Test func `Passages have the same name on another floor`() throws {
        var plans = try Plans.parse(Plans.text)
        let alone = FloorPlanCheck.problems(of: plans).map(Self.text)
        #expect(alone.count == 1)
        #expect(alone[0].contains("warning: campus/hb/2, stairs east: is on this floor only, and leads nowhere"))
        plans.append(plans[0])
        plans[1].floor = "3"
        plans[1].rooms = []
        plans[1].doors = []
        plans[1].elevation = 9.6
        #expect(FloorPlanCheck.problems(of: plans) == [])
    }

    @Test func `Floors of a building that overlap in height are an error, unless they are beside each other`() throws {
        var plans = try Plans.parse(Plans.text)
        plans.append(
            FloorPlan(site: "campus", building: "hb", floor: "3", elevation: 9, outline: Plans.rectangle(0, 0, 5, 5)))
        plans[0].passages = []
        let found = FloorPlanCheck.problems(of: plans).map(Self.text)
        #expect(found.count == 1)
        #expect(found[0].contains("campus/hb/3: begins at z = 9.00, below the ceiling of campus/hb/2 at 9.60"))
        plans[1].outline = Plans.rectangle(18, 0, 5, 5)
        #expect(FloorPlanCheck.problems(of: plans) == [])
    }

    @Test func `Problems know the line of their part`() throws {
        let contents = try FloorPlanFile.contents(
            of: Plans.text.replacing("at = [5, 6]", with: "at = [5, 5]"), path: "floors.toml")
        let problems = FloorPlanCheck.problems(of: contents.plans).map {
            $0.configurationProblem(contents.positions).line(in: "floors.toml")
        }
        #expect(
            problems.first?.hasPrefix("floors.toml:27:10: campus/hb/2, door at 5.00, 5.00: is not on a wall") == true,
            "\(problems)")
    }
}
