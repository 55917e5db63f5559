import BeaconModel
package import OperatorText

/// Converter of the configuration of ESPresense-companion.
///
/// Its format, as in that program's example configuration: `floors` with `id`, `name`, `bounds` of two points and
/// `rooms` with `name` and `points`; `nodes` with `name`, `point` and `floors`. Lengths are in metres; all floors have
/// one origin, and `z` is counted from it.
package struct CompanionConverter {
    private let site: String
    private let building: String
    private var result = CompanionImport()
    private var problems: [ConfigurationProblem] = []
    /// Floors by the identifiers in the file, as indices of plans.
    private var floors: [String: Int] = [:]

    /// Converts a configuration.
    ///
    /// - Parameters:
    ///   - path: the path that is given in reported problems.
    ///   - site: site of all floors; a level of topics.
    ///   - building: building of all floors; a level of topics.
    /// - Throws: `ConfigurationError` with all problems.
    package static func convert(
        _ tree: PlanTree, path: String, site: String, building: String
    ) throws(ConfigurationError) -> CompanionImport {
        var converter = CompanionConverter(site: site, building: building)
        converter.convert(tree)
        guard converter.problems.isEmpty else {
            throw ConfigurationError(path: path, problems: converter.problems)
        }
        return converter.result
    }

    private init(site: String, building: String) {
        self.site = site
        self.building = building
    }

    private static let mostProblems = 200

    private mutating func report(_ location: String, _ line: Int, found: String, allowed: String) {
        guard problems.count < Self.mostProblems else { return }
        problems.append(
            ConfigurationProblem(
                location: location, position: TextPosition(line: line, column: 1), found: found, allowed: allowed))
    }

    private mutating func convert(_ tree: PlanTree) {
        guard let list = tree["floors"]?.list, !list.isEmpty else {
            report(
                "floors", tree["floors"]?.line ?? tree.line,
                found: tree["floors"].map { "found \($0.kind)" } ?? "is missing",
                allowed: "must be a list of floors with bounds and rooms, as ESPresense-companion has it")
            return
        }
        guard list.count <= PlanLimits.floors else {
            report(
                "floors", tree.line, found: "has \(list.count) entries",
                allowed: "must have at most \(PlanLimits.floors)")
            return
        }
        for (index, floor) in list.enumerated() { convert(floor: floor, "floors[\(index)]") }
        guard problems.isEmpty else { return }
        estimateHeights()
        for (index, node) in (tree["nodes"]?.list ?? []).prefix(Self.mostNodes).enumerated() {
            convert(node: node, "nodes[\(index)]")
        }
        if result.notes.count > Self.mostNotes {
            let omitted = result.notes.count - Self.mostNotes
            result.notes = result.notes.prefix(Self.mostNotes) + ["and \(omitted) more notes like these"]
        }
        addNotes(of: tree)
    }

    private static let mostNotes = 100

    private static let mostNodes = 10_000

    private mutating func convert(floor: PlanTree, _ location: String) {
        guard let id = floor["id"]?.text ?? floor["name"]?.text else {
            report(
                location, floor.line, found: "has no id", allowed: "must have one: it becomes the floor of the topics")
            return
        }
        let level = Self.level(of: id)
        guard FloorPlanFile.isLevel(level) else {
            report(
                location + ".id", floor.line, found: "found \(id.excerpt)",
                allowed: "must contain letters or digits: it becomes the floor of the topics")
            return
        }
        guard floors[id] == nil, !result.plans.contains(where: { $0.floor == level }) else {
            report(
                location + ".id", floor.line, found: "found \(id.excerpt) again", allowed: "each floor must be unique")
            return
        }
        if level != id { result.notes.append("the floor \(id.excerpt) is called \(level): topics have a-z, 0-9 and -") }
        let rooms = (floor["rooms"]?.list ?? [])
        guard rooms.count <= PlanLimits.rooms else {
            report(
                location + ".rooms", floor.line, found: "has \(rooms.count) entries",
                allowed: "must have at most \(PlanLimits.rooms)")
            return
        }
        var plan = FloorPlan(site: site, building: building, floor: level, outline: PlanPolygon([]))
        plan.name = floor["name"]?.text.flatMap { FloorPlanFile.isName($0) ? $0 : nil }
        plan.rooms = rooms.enumerated().compactMap { index, room in
            convert(room: room, "\(location).rooms[\(index)]")
        }
        outline(floor, location, &plan)
        let known: Set<String> = ["id", "name", "bounds", "rooms"]
        ignore(floor.keys.filter { !known.contains($0) }, of: "the floor \(id.excerpt)")
        floors[id] = result.plans.count
        result.plans.append(plan)
    }

    private mutating func convert(room: PlanTree, _ location: String) -> FloorPlan.Room? {
        guard let name = room["name"]?.text ?? room["id"]?.text, FloorPlanFile.isName(name) else {
            report(
                location + ".name", room.line, found: "is no name",
                allowed: "must be 1 to \(PlanLimits.nameLength) characters on one line")
            return nil
        }
        guard let list = room["points"]?.list else {
            report(
                location + ".points", room.line, found: "is missing",
                allowed: "must be a list of points: [[0, 0], [7, 0], [7, 6]]")
            return nil
        }
        let points = list.compactMap { Self.point($0, least: 2) }
        guard points.count == list.count, (3...PlanLimits.points).contains(list.count) else {
            report(
                location + ".points", room["points"]?.line ?? room.line,
                found: "is no list of 3 to \(PlanLimits.points) points",
                allowed: "must be pairs of metres up to \(FloorPlanFile.number(PlanLimits.coordinate))")
            return nil
        }
        let known: Set<String> = ["name", "id", "points", "color", "colour", "hidden", "floor"]
        ignore(room.keys.filter { !known.contains($0) }, of: "the room \(name.excerpt)")
        return FloorPlan.Room(
            name: name,
            polygon: PlanPolygon(
                FloorPlanFile.withoutRepeatedEnd(points.map { PlanPoint(x: $0[0], y: $0[1]) })))
    }

    /// Makes outline, elevation and height from `bounds`, which are two opposite corners.
    private mutating func outline(_ floor: PlanTree, _ location: String, _ plan: inout FloorPlan) {
        let corners = (floor["bounds"]?.list ?? []).compactMap { Self.point($0, least: 2) }
        var box = PlanBox(corners.map { PlanPoint(x: $0[0], y: $0[1]) })
        if floor["bounds"] != nil, corners.count != 2 {
            report(
                location + ".bounds", floor["bounds"]?.line ?? floor.line, found: "is no pair of points",
                allowed: "must be two opposite corners: [[0, 0, 0], [17, 18, 3]]")
            return
        }
        let rooms = PlanBox(plan.rooms.flatMap(\.polygon.points))
        if let bounds = box, let rooms {
            if !bounds.contains(rooms.least) || !bounds.contains(rooms.greatest) {
                box = PlanBox([bounds.least, bounds.greatest, rooms.least, rooms.greatest])
                result.notes.append("the outline of \(plan.path) is larger than its bounds: rooms are outside of them")
            }
        } else if box == nil {
            box = rooms
            result.notes.append("\(plan.path) has no bounds: its outline is the rectangle around its rooms")
        }
        guard let box, box.width > 0, box.height > 0 else {
            report(
                location, floor.line, found: "has neither bounds nor rooms",
                allowed: "must have bounds: [[0, 0, 0], [17, 18, 3]]")
            return
        }
        plan.outline = PlanPolygon([
            box.least, PlanPoint(x: box.greatest.x, y: box.least.y), box.greatest,
            PlanPoint(x: box.least.x, y: box.greatest.y),
        ])
        let heights = corners.filter { $0.count > 2 }.map { $0[2] }.sorted()
        guard let bottom = heights.first, let top = heights.last, heights.count == 2 else {
            result.notes.append(
                "\(plan.path) has no heights in its bounds: z = 0 and height = "
                    + "\(FloorPlanFile.number(FloorPlan.usualHeight)) must be corrected")
            return
        }
        plan.elevation = bottom
        plan.height = top - bottom
    }

    /// Corrects heights that no storey has.
    private mutating func estimateHeights() {
        for index in result.plans.indices where !PlanLimits.heights.contains(result.plans[index].height) {
            result.notes.append(
                "the height of \(result.plans[index].path), \(FloorPlanFile.number(result.plans[index].height)) m, is "
                    + "no height of a storey: it was set to \(FloorPlanFile.number(FloorPlan.usualHeight)) m")
            result.plans[index].height = FloorPlan.usualHeight
        }
    }

    private mutating func convert(node: PlanTree, _ location: String) {
        guard let name = node["name"]?.text ?? node["id"]?.text else {
            result.notes.append("a node in line \(node.line) has no name, and was left out")
            return
        }
        guard let point = node["point"].flatMap({ Self.point($0, least: 2) }) else {
            result.notes.append("the node \(name.excerpt) has no point, and was left out")
            return
        }
        let named = (node["floors"]?.list ?? []).compactMap { $0.text.flatMap { floors[$0] } }
        let height = point.count > 2 ? point[2] : nil
        // A node may be listed for several floors. It hangs on the one whose heights contain it.
        let candidates = named.isEmpty ? Array(result.plans.indices) : named
        let index =
            candidates.first { plan in
                height.map {
                    $0 >= result.plans[plan].elevation
                        && $0 <= result.plans[plan].elevation + result.plans[plan].height
                } ?? false
            } ?? candidates.first
        guard let index else { return }
        let plan = result.plans[index]
        let place = PlanPoint(x: point[0], y: point[1])
        result.nodes.append(
            CompanionImport.Node(
                name: name, floor: plan.path,
                position: Place.Position(
                    x: place.x, y: place.y,
                    z: height.map { (($0 - plan.elevation) * 1000).rounded() / 1000 } ?? 0),
                room: plan.rooms.first { $0.polygon.contains(place) }?.name))
        if height == nil { result.notes.append("the node \(name.excerpt) has no height: its z is set to 0") }
        if named.count > 1 {
            result.notes.append("the node \(name.excerpt) is listed for several floors: it is put on \(plan.path)")
        }
    }

    private mutating func ignore(_ keys: [String], of owner: String) {
        guard !keys.isEmpty else { return }
        result.notes.append(
            "not taken over of \(owner): \(keys.prefix(20).map { $0.shown(upTo: 40) }.joined(separator: ", "))")
    }

    private mutating func addNotes(of tree: PlanTree) {
        if let map = tree["map"] {
            if map["flip_x"]?.isTrue == true || map["flip_y"]?.isTrue == false {
                result.notes.append(
                    "the map was flipped for display (flip_x, flip_y): coordinates are kept, and pictures here have "
                        + "the second axis upwards")
            }
            let other = map.keys.filter { $0 != "flip_x" && $0 != "flip_y" }
            ignore(other, of: "map, which is about display")
        }
        if tree["gps"] != nil {
            result.notes.append("gps was not taken over: positions are metres from the plan's origin")
        }
        let known: Set<String> = ["floors", "nodes", "map", "gps"]
        ignore(tree.keys.filter { !known.contains($0) }, of: "the file")
        result.notes.append(
            "doors do not exist in that format: add [[floors.doors]] to each room, with at and width, or nobody is "
                + "expected to pass from one room to another")
        result.notes.append(
            "walls do not exist in that format either: edges of rooms take "
                + "\(FloorPlanFile.number(FloorPlan.usualWallAttenuation)) dB; add [[floors.walls]] where they take more"
        )
        result.notes.append(
            "stairs and lifts do not exist in that format: add [[floors.passages]] to the floors that they join")
        if !result.nodes.isEmpty {
            result.notes.append(
                "nodes are no gateways: copy a node's position into the [place] table of the gateway that hangs there")
        }
    }

    /// Returns the numbers of a point: two, or three with a height.
    private static func point(_ tree: PlanTree, least: Int) -> [Double]? {
        guard let list = tree.list, (least...3).contains(list.count) else { return nil }
        let numbers = list.compactMap(\.number).filter { PlanLimits.coordinates.contains($0) }
        return numbers.count == list.count ? numbers : nil
    }

    /// Returns a level of topics for an identifier: `First Floor` becomes `first-floor`.
    static func level(of id: String) -> String {
        let characters = id.prefix(64).lowercased().unicodeScalars.map { scalar -> Character in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "-"
        }
        return String(characters).split(separator: "-").joined(separator: "-")
    }
}
