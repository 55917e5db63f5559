import FloorPlans
import Pages

/// Fields of the form in which a floor is drawn. Pure.
struct PlanFormView {
    var form: PlanForm
    /// Mistakes, by the names of fields.
    var mistakes: [String: [String]] = [:]

    /// Number of empty rows at the end of each table.
    private static let emptyRows = 3

    /// Fields of the whole floor.
    var general: [PlanTable.Field] {
        [
            field("name", "Name for people", form.name),
            field("elevation", "Height of the floor above the building's origin, in metres", form.elevation, "small"),
            field("height", "Height of the storey, in metres", form.height, "small"),
            field("outline", "Outline, as corners in their order along the edge", form.outline, "wide"),
            field(
                "wall-attenuation", "Attenuation of the edges of rooms, in dB", form.wallAttenuation, "small"),
            field("ceiling-attenuation", "Attenuation of the ceiling, in dB", form.ceilingAttenuation, "small"),
        ]
    }

    /// Tables of rooms, doors, walls, and stairs and lifts.
    var tables: [PlanTable] { [rooms, doors, walls, passages] }

    private var rooms: PlanTable {
        PlanTable(
            kind: "room", heading: "Rooms", caption: "Rooms of the floor, as timetables name them",
            help: "Corners are pairs of metres in their order along the edge: 0,0 7,0 7,6 0,6.",
            columns: ["Name", "Corners", "Capacity in people"],
            rows: rows("room", form.rooms, PlanForm.Room()) { number, key, row in
                [
                    field("\(key)-name", "Name of room \(number)", row.name),
                    field("\(key)-points", "Corners of room \(number)", row.points, "wide"),
                    field("\(key)-capacity", "Capacity of room \(number)", row.capacity, "small"),
                ]
            })
    }

    private var doors: PlanTable {
        PlanTable(
            kind: "door", heading: "Doors", caption: "Doors, each on the edge of a room",
            help: "The middle of a door is one point: 5,6. A door is 1 m wide if nothing is written.",
            columns: ["Middle", "Width in metres"],
            rows: rows("door", form.doors, PlanForm.Door()) { number, key, row in
                [
                    field("\(key)-at", "Middle of door \(number)", row.at),
                    field("\(key)-width", "Width of door \(number)", row.width, "small"),
                ]
            })
    }

    private var walls: PlanTable {
        PlanTable(
            kind: "wall", heading: "Walls", caption: "Walls that attenuate signals more or less than usual",
            help:
                "Edges of rooms are walls already. About 4 dB are usual for drywall, 7 dB for block, 13 dB for "
                + "concrete.",
            columns: ["Points", "Attenuation in dB"],
            rows: rows("wall", form.walls, PlanForm.Wall()) { number, key, row in
                [
                    field("\(key)-points", "Points of wall \(number)", row.points, "wide"),
                    field("\(key)-attenuation", "Attenuation of wall \(number)", row.attenuation, "small"),
                ]
            })
    }

    private var passages: PlanTable {
        PlanTable(
            kind: "passage", heading: "Stairs and lifts", caption: "Ways to other floors",
            help: "The same name on several floors joins them.",
            columns: ["Kind", "Name", "Place"],
            rows: rows("passage", form.passages, PlanForm.Passage()) { number, key, row in
                [
                    kindField("\(key)-kind", "Kind of way \(number)", row.kind),
                    field("\(key)-name", "Name of way \(number)", row.name),
                    field("\(key)-at", "Place of way \(number)", row.at),
                ]
            })
    }

    /// Returns the rows of a table, with empty ones at the end.
    private func rows<Row>(
        _ kind: String, _ rows: [Row], _ empty: Row,
        _ cells: (_ number: Int, _ key: String, _ row: Row) -> [PlanTable.Field]
    ) -> [PlanTable.Row] {
        (rows + Array(repeating: empty, count: Self.emptyRows)).enumerated().map { index, row in
            PlanTable.Row(cells: cells(index + 1, "\(kind)-\(index)", row))
        }
    }

    private func field(_ name: String, _ label: String, _ value: String, _ size: String = "medium") -> PlanTable.Field {
        PlanTable.Field(name, label: label, value: value, size: size, mistakes: mistakes[name] ?? [])
    }

    private func kindField(_ name: String, _ label: String, _ value: String) -> PlanTable.Field {
        let chosen = FloorPlan.Passage.Kind(rawValue: value) ?? .stairs
        return PlanTable.Field(
            name, label: label, value: value, mistakes: mistakes[name] ?? [],
            choices: FloorPlan.Passage.Kind.allCases.map {
                .init(value: $0.rawValue, label: $0.rawValue, isChosen: $0 == chosen)
            })
    }
}

/// Check of a drawn floor among the others of its building. Pure.
struct DrawnFloorCheck: Sendable {
    /// Problems that prevent the floor from being saved, with the fields beside which they are shown.
    var errors: [PlanForm.Mistake] = []
    /// Warnings about what may not be intended, in sentences.
    var notes: [String] = []

    /// Maximum number of sentences of each kind.
    private static let most = 50

    init(errors: [PlanForm.Mistake] = []) { self.errors = errors }

    /// Checks a floor.
    ///
    /// - Parameters:
    ///   - others: plans of all floors; the one with the same path is left out.
    ///   - receivers: known receivers of the floor.
    init(_ plan: FloorPlan, among others: [FloorPlan], receivers: [PlanReceiver]) {
        let plans = [plan] + others.filter { $0.buildingPath == plan.buildingPath && $0.path != plan.path }
        let errors = FloorPlanCheck.problems(of: plans).filter { $0.severity == .error }
        self.errors = errors.prefix(Self.most).map {
            PlanForm.Mistake(
                field: $0.floor == plan.path ? PlanForm.field(of: $0.element) : "outline",
                text: Self.sentence($0, on: plan))
        }
        if errors.count > Self.most {
            self.errors.append(
                PlanForm.Mistake(field: "outline", text: "Further problems, not listed: \(errors.count - Self.most)."))
        }
        notes = FloorPlanCheck.problems(of: plans, receivers: receivers)
            .filter { $0.floor == plan.path && !errors.contains($0) }.prefix(Self.most)
            .map { Self.sentence($0, on: plan) }
    }

    /// Mistakes, by the names of fields.
    var mistakes: [String: [String]] { Dictionary(grouping: errors, by: \.field).mapValues { $0.map(\.text) } }

    /// Returns a problem as sentences, without the name of the floor that is drawn.
    static func sentence(_ problem: FloorPlanProblem, on plan: FloorPlan) -> String {
        let place = problem.floor == plan.path ? problem.part ?? "the floor" : problem.location
        let remedy = problem.remedy.replacing("[[floors.doors]]", with: "a door")
        return "\(place) \(problem.found)".asSentence + " " + remedy.asSentence
    }
}
