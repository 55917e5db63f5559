import OperatorText

extension FloorPlanFile {
    /// Returns a file that parses to the same plans.
    ///
    /// - Parameter notes: lines of a comment at the beginning.
    package static func text(of plans: [FloorPlan], notes: [String] = []) -> String {
        var lines = notes.map { $0.isEmpty ? "#" : "# " + $0.shownInComment }
        for plan in plans {
            if !lines.isEmpty { lines.append("") }
            lines += self.lines(of: plan)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of plan: FloorPlan) -> [String] {
        var lines = [
            "[[floors]]", "site = \(quoted(plan.site))", "building = \(quoted(plan.building))",
            "floor = \(quoted(plan.floor))",
        ]
        if let name = plan.name { lines.append("name = \(quoted(name))") }
        lines += [
            "z = \(number(plan.elevation))", "height = \(number(plan.height))",
            "outline = \(list(plan.outline.points))",
        ]
        if plan.wallAttenuation != FloorPlan.usualWallAttenuation {
            lines.append("wall-attenuation = \(number(plan.wallAttenuation))")
        }
        if plan.ceilingAttenuation != FloorPlan.usualCeilingAttenuation {
            lines.append("ceiling-attenuation = \(number(plan.ceilingAttenuation))")
        }
        for room in plan.rooms {
            lines += ["", "[[floors.rooms]]", "name = \(quoted(room.name))", "points = \(list(room.polygon.points))"]
            if let capacity = room.capacity { lines.append("capacity = \(capacity)") }
        }
        for wall in plan.walls {
            lines += ["", "[[floors.walls]]", "points = \(list(wall.points))"]
            if let attenuation = wall.attenuation { lines.append("attenuation = \(number(attenuation))") }
        }
        for door in plan.doors {
            lines += ["", "[[floors.doors]]", "at = \(pair(door.position))", "width = \(number(door.width))"]
        }
        for passage in plan.passages {
            lines += [
                "", "[[floors.passages]]", "kind = \(quoted(passage.kind.rawValue))", "name = \(quoted(passage.name))",
                "at = \(pair(passage.position))",
            ]
        }
        return lines
    }

    private static func list(_ points: [PlanPoint]) -> String { "[" + points.map(pair).joined(separator: ", ") + "]" }

    private static func pair(_ point: PlanPoint) -> String { "[\(number(point.x)), \(number(point.y))]" }

    /// Returns a number that reads back to the same value. Whole numbers are written without a fraction.
    static func number(_ value: Double) -> String {
        if value == 0 { return value.sign == .minus ? "-0.0" : "0" }
        if let whole = Int64(exactly: value) { return "\(whole)" }
        return "\(value)"
    }

    /// Returns a string of TOML.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension String {
    /// The text without characters that would end a comment.
    fileprivate var shownInComment: String { shown(upTo: 1000) }
}
