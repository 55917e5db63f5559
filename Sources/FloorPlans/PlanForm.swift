/// Plan of a floor as the fields of a form, with all numbers as they were typed.
package struct PlanForm: Equatable, Sendable {
    package struct Room: Equatable, Sendable {
        package var name = ""
        package var points = ""
        package var capacity = ""

        package init(name: String = "", points: String = "", capacity: String = "") {
            self.name = name
            self.points = points
            self.capacity = capacity
        }
    }

    package struct Door: Equatable, Sendable {
        package var at = ""
        package var width = ""

        package init(at: String = "", width: String = "") {
            self.at = at
            self.width = width
        }
    }

    package struct Wall: Equatable, Sendable {
        package var points = ""
        package var attenuation = ""

        package init(points: String = "", attenuation: String = "") {
            self.points = points
            self.attenuation = attenuation
        }
    }

    package struct Passage: Equatable, Sendable {
        package var kind = ""
        package var name = ""
        package var at = ""

        package init(kind: String = "", name: String = "", at: String = "") {
            self.kind = kind
            self.name = name
            self.at = at
        }
    }

    package var name = ""
    package var elevation = ""
    package var height = ""
    package var outline = ""
    package var wallAttenuation = ""
    package var ceilingAttenuation = ""
    package var rooms: [Room] = []
    package var doors: [Door] = []
    package var walls: [Wall] = []
    package var passages: [Passage] = []

    /// Creates the form of a plan.
    package init(_ plan: FloorPlan) {
        name = plan.name ?? ""
        elevation = PlanText.text(plan.elevation)
        height = PlanText.text(plan.height)
        outline = PlanText.text(plan.outline.points)
        wallAttenuation = PlanText.text(plan.wallAttenuation)
        ceilingAttenuation = PlanText.text(plan.ceilingAttenuation)
        rooms = plan.rooms.map {
            Room(name: $0.name, points: PlanText.text($0.polygon.points), capacity: $0.capacity.map { "\($0)" } ?? "")
        }
        doors = plan.doors.map { Door(at: PlanText.text([$0.position]), width: PlanText.text($0.width)) }
        walls = plan.walls.map {
            Wall(points: PlanText.text($0.points), attenuation: $0.attenuation.map(PlanText.text) ?? "")
        }
        passages = plan.passages.map {
            Passage(kind: $0.kind.rawValue, name: $0.name, at: PlanText.text([$0.position]))
        }
    }

    /// Creates the form from the fields that were sent: `name`, `room-0-name`, `room-0-points` and so on. Rows without
    /// any text are left out.
    package init(fields: [String: String]) {
        func value(_ name: String) -> String { (fields[name] ?? "").trimmed }
        name = value("name")
        elevation = value("elevation")
        height = value("height")
        outline = value("outline")
        wallAttenuation = value("wall-attenuation")
        ceilingAttenuation = value("ceiling-attenuation")
        var rows: [String: Set<Int>] = [:]
        for field in fields.keys {
            let parts = field.split(separator: "-", maxSplits: 2)
            // No list has more rows than walls can be.
            guard parts.count == 3, let row = Int(parts[1]), (0..<PlanLimits.walls).contains(row) else { continue }
            rows[String(parts[0]), default: []].insert(row)
        }
        func indices(_ kind: String) -> [Int] { (rows[kind] ?? []).sorted() }
        rooms = indices("room").map {
            Room(
                name: value("room-\($0)-name"), points: value("room-\($0)-points"),
                capacity: value("room-\($0)-capacity"))
        }.filter { $0 != Room() }
        doors = indices("door").map { Door(at: value("door-\($0)-at"), width: value("door-\($0)-width")) }
            .filter { $0 != Door() }
        walls = indices("wall").map {
            Wall(points: value("wall-\($0)-points"), attenuation: value("wall-\($0)-attenuation"))
        }.filter { $0 != Wall() }
        passages = indices("passage").map {
            Passage(
                kind: value("passage-\($0)-kind"), name: value("passage-\($0)-name"), at: value("passage-\($0)-at"))
        }.filter { !$0.name.isEmpty || !$0.at.isEmpty }
    }
}

/// Numbers and points as people write them: `7`, `7.5`, and `0,0 7,0 7,6`.
enum PlanText {
    static func text(_ number: Double) -> String { FloorPlanFile.number(number) }

    static func text(_ points: [PlanPoint]) -> String {
        points.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
    }

    /// Returns a number; `nil` if the text is none.
    static func number(_ text: some StringProtocol) -> Double? {
        guard (1...40).contains(text.utf8.count), text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// Returns points in metres; `nil` if the text has something else, or more points than are allowed.
    static func points(_ text: String) -> [PlanPoint]? {
        // A space after the comma is what people type.
        let pairs = text.replacing(", ", with: ",").split { $0.isWhitespace || $0 == ";" }
        guard pairs.count <= PlanLimits.points else { return nil }
        var points: [PlanPoint] = []
        for pair in pairs {
            let numbers = pair.split(separator: ",", omittingEmptySubsequences: false).compactMap { number($0) }
            guard numbers.count == 2, pair.count(where: { $0 == "," }) == 1,
                numbers.allSatisfy({ PlanLimits.coordinates.contains($0) })
            else { return nil }
            points.append(PlanPoint(x: numbers[0], y: numbers[1]))
        }
        return points
    }
}

extension String {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
