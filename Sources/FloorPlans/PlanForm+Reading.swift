import OperatorText

extension PlanForm {
    /// Field that cannot be read.
    package struct Mistake: Equatable, Sendable {
        /// Name of the field, as it is sent: `room-3-points`.
        package var field: String
        /// Finding and rule, in a sentence.
        package var text: String

        package init(field: String, text: String) {
            self.field = field
            self.text = text
        }
    }

    /// Returns the plan of a floor. Its rooms, doors, walls and passages are in the order of the form's rows.
    ///
    /// - Returns: no plan if there is a mistake.
    package func read(
        site: String, building: String, floor: String
    ) -> (plan: FloorPlan?, mistakes: [Mistake]) {
        var reader = PlanFormReader()
        let name = self.name.isEmpty ? nil : reader.name(self.name, "name")
        let elevation = reader.number(
            self.elevation, "elevation", in: PlanLimits.coordinates, "m", usual: 0)
        let height = reader.number(
            self.height, "height", in: PlanLimits.heights, "m", usual: FloorPlan.usualHeight)
        let outline = reader.polygon(self.outline, "outline")
        let wall = reader.number(
            wallAttenuation, "wall-attenuation", in: PlanLimits.attenuations, "dB",
            usual: FloorPlan.usualWallAttenuation)
        let ceiling = reader.number(
            ceilingAttenuation, "ceiling-attenuation", in: PlanLimits.attenuations, "dB",
            usual: FloorPlan.usualCeilingAttenuation)
        reader.count(self.rooms.count, "rooms", most: PlanLimits.rooms)
        reader.count(self.passages.count, "stairs and lifts", most: PlanLimits.passages)
        let rooms = self.rooms.enumerated().map { index, row in
            FloorPlan.Room(
                name: reader.name(row.name, "room-\(index)-name"),
                polygon: reader.polygon(row.points, "room-\(index)-points"),
                capacity: reader.capacity(row.capacity, "room-\(index)-capacity"))
        }
        let doors = self.doors.enumerated().map { index, row in
            FloorPlan.Door(
                position: reader.point(row.at, "door-\(index)-at"),
                width: reader.number(
                    row.width, "door-\(index)-width", in: PlanLimits.doorWidths, "m", usual: FloorPlan.Door.usualWidth))
        }
        let walls = self.walls.enumerated().map { index, row in
            FloorPlan.Wall(
                points: reader.points(row.points, "wall-\(index)-points", least: 2),
                attenuation: row.attenuation.isEmpty
                    ? nil
                    : reader.number(
                        row.attenuation, "wall-\(index)-attenuation", in: PlanLimits.attenuations, "dB", usual: 0))
        }
        let passages = self.passages.enumerated().map { index, row in
            FloorPlan.Passage(
                kind: reader.kind(row.kind, "passage-\(index)-kind"),
                name: reader.name(row.name, "passage-\(index)-name"),
                position: reader.point(row.at, "passage-\(index)-at"))
        }
        guard reader.mistakes.isEmpty else { return (nil, reader.mistakes) }
        return (
            FloorPlan(
                site: site, building: building, floor: floor, name: name, elevation: elevation, height: height,
                outline: outline, rooms: rooms, walls: walls, doors: doors, passages: passages, wallAttenuation: wall,
                ceilingAttenuation: ceiling), []
        )
    }

    /// Returns the field beside which a problem of the plan is shown.
    ///
    /// - Parameter element: part of the plan; `nil` for one of the whole floor.
    package static func field(of element: PlanElement?) -> String {
        switch element {
        case .room(_, let index): "room-\(index)-points"
        case .door(_, let index): "door-\(index)-at"
        case .passage(_, let index): "passage-\(index)-at"
        case .floor, nil: "outline"
        }
    }
}

/// Reader of the fields of a form. In the place of a value that cannot be read it returns any other, and notes the
/// mistake.
private struct PlanFormReader {
    var mistakes: [PlanForm.Mistake] = []

    /// Number of mistakes after which the others are not noted.
    private static let most = 200

    private mutating func note(_ field: String, _ text: String) {
        guard mistakes.count < Self.most else { return }
        mistakes.append(PlanForm.Mistake(field: field, text: text))
    }

    private static func shown(_ text: String) -> String { "\"\(text.shown(upTo: 60))\"" }

    mutating func count(_ count: Int, _ noun: String, most: Int) {
        if count > most { note("outline", "There are \(count) \(noun): a floor can have \(most).") }
    }

    mutating func name(_ text: String, _ field: String) -> String {
        if text.isEmpty {
            note(field, "Give it a name.")
        } else if !FloorPlanFile.isName(text) {
            note(field, "Found \(Self.shown(text)): a name has 1 to \(PlanLimits.nameLength) characters on one line.")
        }
        return text
    }

    mutating func number(
        _ text: String, _ field: String, in range: ClosedRange<Double>, _ unit: String, usual: Double
    ) -> Double {
        if text.isEmpty { return usual }
        guard let number = PlanText.number(text), range.contains(number) else {
            note(
                field,
                "Found \(Self.shown(text)): write a number from \(PlanText.text(range.lowerBound)) to "
                    + "\(PlanText.text(range.upperBound)) \(unit), such as 7.5.")
            return usual
        }
        return number
    }

    mutating func capacity(_ text: String, _ field: String) -> Int? {
        if text.isEmpty { return nil }
        guard let number = Int(text), PlanLimits.capacities.contains(number) else {
            note(
                field,
                "Found \(Self.shown(text)): write a number of people from 1 to \(PlanLimits.capacities.upperBound).")
            return nil
        }
        return number
    }

    mutating func points(_ text: String, _ field: String, least: Int) -> [PlanPoint] {
        guard let points = PlanText.points(text), points.count >= least else {
            note(
                field,
                (text.isEmpty ? "There are no points: write " : "Found \(Self.shown(text)): write ")
                    + "\(least) to \(PlanLimits.points) points in metres, each as two numbers with a comma, with spaces "
                    + "between the points: 0,0 7,0 7,6.5")
            return []
        }
        return points
    }

    mutating func polygon(_ text: String, _ field: String) -> PlanPolygon {
        PlanPolygon(FloorPlanFile.withoutRepeatedEnd(points(text, field, least: 3)))
    }

    mutating func point(_ text: String, _ field: String) -> PlanPoint {
        guard let points = PlanText.points(text), points.count == 1, let point = points.first else {
            note(
                field,
                (text.isEmpty ? "There is no point: write " : "Found \(Self.shown(text)): write ")
                    + "one point in metres, as two numbers with a comma: 5,6.5")
            return PlanPoint(x: 0, y: 0)
        }
        return point
    }

    mutating func kind(_ text: String, _ field: String) -> FloorPlan.Passage.Kind {
        guard let kind = FloorPlan.Passage.Kind(rawValue: text) else {
            note(field, "Found \(Self.shown(text)): choose stairs or lift.")
            return .stairs
        }
        return kind
    }
}
