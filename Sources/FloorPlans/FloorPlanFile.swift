package import OperatorText

/// Files of floor plans in TOML.
package enum FloorPlanFile {
    /// Plans of a file, with the lines in which they begin.
    package struct Contents: Equatable, Sendable {
        package var plans: [FloorPlan]
        /// Positions of the tables of floors, rooms, doors and passages.
        package var positions: [PlanElement: TextPosition]
    }

    /// Parses a file of plans.
    ///
    /// - Parameter path: the path that is given in reported problems.
    /// - Throws: `ConfigurationError` with all problems.
    package static func parse(_ text: String, path: String) throws(ConfigurationError) -> [FloorPlan] {
        try contents(of: text, path: path).plans
    }

    /// Parses the bytes of a file of plans, which may be no text, and keeps where in the file each part is.
    ///
    /// - Parameter path: the path that is given in reported problems.
    /// - Throws: `ConfigurationError` with all problems.
    package static func contents(of bytes: [UInt8], path: String) throws(ConfigurationError) -> Contents {
        // Before it is known how long it is, nothing is copied.
        guard bytes.count <= PlanLimits.bytes else { throw tooLong(bytes.count, path) }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(location: "file", found: "is not UTF-8 text", allowed: "must be TOML 1.0")
                ])
        }
        return try contents(of: text, path: path)
    }

    private static func tooLong(_ bytes: Int, _ path: String) -> ConfigurationError {
        ConfigurationError(
            path: path,
            problems: [
                ConfigurationProblem(
                    location: "file", found: "has \(bytes) bytes", allowed: "must have at most \(PlanLimits.bytes)")
            ])
    }

    /// Parses a file of plans, and keeps where in the file each part is.
    ///
    /// - Parameter path: the path that is given in reported problems.
    /// - Throws: `ConfigurationError` with all problems.
    package static func contents(of text: String, path: String) throws(ConfigurationError) -> Contents {
        guard text.utf8.count <= PlanLimits.bytes else { throw tooLong(text.utf8.count, path) }
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        let contents = read(root, problems)
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return contents
    }

    /// Number of problems after which no further floor or part is read: the rest would only repeat them.
    private static let mostProblems = 1000

    private static func read(_ root: TOMLReader, _ problems: TOMLReader.Problems) -> Contents {
        if !root.has("floors") { root.missing("floors", allowed: "a list of tables: [[floors]]") }
        let readers = bounded(root, "floors", atMost: PlanLimits.floors)
        var contents = Contents(plans: [], positions: [:])
        var known: [String: TextPosition?] = [:]
        for (index, reader) in readers.enumerated() where problems.all.count < mostProblems {
            contents.positions[.floor(index)] = reader.position
            let plan = floor(reader, index, &contents.positions, problems)
            reader.finish()
            guard let plan else { continue }
            if let first = known.updateValue(reader.position, forKey: plan.path) {
                reader.report(
                    "floor",
                    found: "found \(plan.path) again" + (first.map { ", first in line \($0.line)" } ?? ""),
                    allowed: "each floor of a building must be unique")
            }
            contents.plans.append(plan)
        }
        return contents
    }

    /// Returns the tables of a list; none if there are too many, which is reported.
    private static func bounded(_ reader: TOMLReader, _ key: String, atMost most: Int) -> [TOMLReader] {
        let tables = reader.tables(key)
        guard tables.count <= most else {
            reader.report(key, found: "has \(tables.count) entries", allowed: "must have at most \(most)")
            return []
        }
        return tables
    }

    /// Returns the parts of a list of a floor.
    private static func parts<Part>(
        _ reader: TOMLReader, _ key: String, atMost most: Int, _ problems: TOMLReader.Problems,
        _ read: (TOMLReader, Int) -> Part?
    ) -> [Part] {
        var parts: [Part] = []
        for (index, table) in bounded(reader, key, atMost: most).enumerated()
        where problems.all.count < mostProblems {
            if let part = read(table, index) { parts.append(part) }
            table.finish()
        }
        return parts
    }

    private static func floor(
        _ reader: TOMLReader, _ index: Int, _ positions: inout [PlanElement: TextPosition],
        _ problems: TOMLReader.Problems
    ) -> FloorPlan? {
        let site = required(reader, "site", allowed: levelForm) { isLevel($0) ? $0 : nil }
        let building = required(reader, "building", allowed: levelForm) { isLevel($0) ? $0 : nil }
        let level = required(reader, "floor", allowed: levelForm) { isLevel($0) ? $0 : nil }
        let name = reader.parsed("name", allowed: nameForm) { isName($0) ? $0 : nil }
        let elevation = reader.number("z", in: PlanLimits.coordinates, unit: "metres")
        let height = reader.number("height", in: PlanLimits.heights, unit: "metres")
        let outline = points(reader, "outline", least: 3)
        let wall = reader.number("wall-attenuation", in: PlanLimits.attenuations, unit: "dB")
        let ceiling = reader.number("ceiling-attenuation", in: PlanLimits.attenuations, unit: "dB")
        let rooms = parts(reader, "rooms", atMost: PlanLimits.rooms, problems) { table, number in
            positions[.room(floor: index, number)] = table.position
            return room(table)
        }
        let walls = parts(reader, "walls", atMost: PlanLimits.walls, problems) { table, _ in self.wall(table) }
        let doors = parts(reader, "doors", atMost: PlanLimits.doors, problems) { table, number in
            positions[.door(floor: index, number)] = table.position
            return door(table)
        }
        let passages = parts(reader, "passages", atMost: PlanLimits.passages, problems) { table, number in
            positions[.passage(floor: index, number)] = table.position
            return passage(table)
        }
        guard let site, let building, let level, let outline else { return nil }
        return FloorPlan(
            site: site, building: building, floor: level, name: name, elevation: elevation ?? 0,
            height: height ?? FloorPlan.usualHeight, outline: PlanPolygon(withoutRepeatedEnd(outline)), rooms: rooms,
            walls: walls, doors: doors, passages: passages, wallAttenuation: wall ?? FloorPlan.usualWallAttenuation,
            ceilingAttenuation: ceiling ?? FloorPlan.usualCeilingAttenuation)
    }

    private static func room(_ reader: TOMLReader) -> FloorPlan.Room? {
        let name = required(reader, "name", allowed: nameForm) { isName($0) ? $0 : nil }
        let points = points(reader, "points", least: 3)
        let capacity = reader.integer("capacity", in: PlanLimits.capacities)
        guard let name, let points else { return nil }
        return FloorPlan.Room(name: name, polygon: PlanPolygon(withoutRepeatedEnd(points)), capacity: capacity)
    }

    private static func wall(_ reader: TOMLReader) -> FloorPlan.Wall? {
        let points = points(reader, "points", least: 2)
        let attenuation = reader.number("attenuation", in: PlanLimits.attenuations, unit: "dB")
        return points.map { FloorPlan.Wall(points: $0, attenuation: attenuation) }
    }

    private static func door(_ reader: TOMLReader) -> FloorPlan.Door? {
        let position = point(reader, "at")
        let width = reader.number("width", in: PlanLimits.doorWidths, unit: "metres")
        return position.map { FloorPlan.Door(position: $0, width: width ?? FloorPlan.Door.usualWidth) }
    }

    private static func passage(_ reader: TOMLReader) -> FloorPlan.Passage? {
        let kinds = FloorPlan.Passage.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        let kind = required(reader, "kind", allowed: kinds) { FloorPlan.Passage.Kind(rawValue: $0) }
        let name = required(reader, "name", allowed: nameForm) { isName($0) ? $0 : nil }
        let position = point(reader, "at")
        guard let kind, let name, let position else { return nil }
        return FloorPlan.Passage(kind: kind, name: name, position: position)
    }

    private static let pointUnit = "metres, not millimetres"
    private static let pointsForm = "a list of points in metres: [[0, 0], [7, 0], [7, 6]]"

    private static func points(_ reader: TOMLReader, _ key: String, least: Int) -> [PlanPoint]? {
        if !reader.has(key) { reader.missing(key, allowed: pointsForm) }
        return reader.numberLists(
            key, of: 2, count: least...PlanLimits.points, in: PlanLimits.coordinates, unit: pointUnit,
            form: pointsForm
        )?.map { PlanPoint(x: $0[0], y: $0[1]) }
    }

    private static func point(_ reader: TOMLReader, _ key: String) -> PlanPoint? {
        if !reader.has(key) { reader.missing(key, allowed: "a point in metres: [7, 1.5]") }
        return reader.numberList(key, of: 2, in: PlanLimits.coordinates, unit: pointUnit).map {
            PlanPoint(x: $0[0], y: $0[1])
        }
    }

    /// Returns the corners without a last one that repeats the first, as other programs write it.
    static func withoutRepeatedEnd(_ points: [PlanPoint]) -> [PlanPoint] {
        var points = points
        while points.count > 3, points.first == points.last { points.removeLast() }
        return points
    }

    private static func required<Value>(
        _ reader: TOMLReader, _ key: String, allowed: String, _ parse: (String) -> Value?
    ) -> Value? {
        if !reader.has(key) { reader.missing(key, allowed: allowed) }
        return reader.parsed(key, allowed: allowed, parse)
    }

    static let levelForm = "made up of a-z, 0-9 and -, as in topics"

    /// Returns whether a text can be a level of topics.
    package static func isLevel(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "-")
            }
    }

    private static let nameForm = "1 to \(PlanLimits.nameLength) characters on one line"

    /// Returns whether a text can be the name of a room, floor or passage.
    package static func isName(_ text: String) -> Bool {
        (1...PlanLimits.nameLength).contains(text.unicodeScalars.count)
            && text.shown(upTo: PlanLimits.nameLength) == text && text.contains { !$0.isWhitespace }
    }
}
