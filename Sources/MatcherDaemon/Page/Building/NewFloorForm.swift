import FloorPlans
import InteractionStore
import OperatorText
import Pages

/// Form of a new floor, as it was typed. Pure.
struct NewFloorForm {
    var fields: [String: String]

    /// Sides of a floor in metres.
    static let sides = 1.0...1000.0

    private static let labels: [(name: String, label: String, hint: String?, size: String)] = [
        ("site", "Site, as in the topics of the gateways", nil, "medium"),
        ("building", "Building, as in the topics", nil, "medium"),
        ("floor", "Floor, as in the topics", nil, "medium"),
        ("name", "Name for people", "optional", "medium"),
        ("width", "Width in metres", nil, "small"),
        ("depth", "Depth in metres", nil, "small"),
        ("elevation", "Height above the building's origin in metres", "optional: above the other floors", "small"),
        ("height", "Height of the storey in metres", "optional: 3", "small"),
    ]

    init(_ fields: [String: String]) {
        self.fields = fields.mapValues(\.onOneLine)
    }

    private func value(_ name: String) -> String { fields[name] ?? "" }

    /// Mistakes, by the names of fields.
    var mistakes: [String: [String]] {
        var mistakes: [String: [String]] = [:]
        for name in ["site", "building", "floor"] { mistakes[name] = Self.levelMistakes(value(name)) }
        if !value("name").isEmpty, !FloorPlanFile.isName(value("name")) {
            mistakes["name"] = ["A name has 1 to \(PlanLimits.nameLength) characters on one line."]
        }
        for (name, range, isNeeded) in [
            ("width", Self.sides, true), ("depth", Self.sides, true), ("elevation", PlanLimits.coordinates, false),
            ("height", PlanLimits.heights, false),
        ] {
            if value(name).isEmpty, !isNeeded { continue }
            if let number = Double(value(name)), range.contains(number) { continue }
            let missing = value(name).isEmpty ? "This is missing. " : ""
            mistakes[name] = [
                missing + "Write a number from \(FloorScaleForm.number(range.lowerBound)) to "
                    + "\(FloorScaleForm.number(range.upperBound)), such as 18.5."
            ]
        }
        return mistakes
    }

    /// Returns what is wrong with a level of topics; `nil` if nothing is.
    static func levelMistakes(_ text: String) -> [String]? {
        if FloorPlanFile.isLevel(text) { return nil }
        let missing = text.isEmpty ? "This is missing. " : ""
        return [missing + "Use a-z, 0-9 and -, as in the topics of the gateways."]
    }

    /// Path of the floor; for a form without mistakes.
    var path: String { ["site", "building", "floor"].map(value).joined(separator: "/") }

    /// Path of the page on which the floor is drawn; for a form without mistakes.
    var editPath: String {
        let query = ["width", "depth", "name", "elevation", "height"].filter { !value($0).isEmpty }
            .map { "\($0)=\(FormFields.encode(value($0)))" }
        return PageRoute.path(ofFloor: path) + "/edit?" + query.joined(separator: "&")
    }

    /// Returns the fields with what is wrong with them.
    func shown(_ mistakes: [String: [String]] = [:]) -> [PlanTable.Field] {
        Self.labels.map { name, label, hint, size in
            PlanTable.Field(
                name, label: label, hint: hint, value: value(name), size: size, mistakes: mistakes[name] ?? [])
        }
    }

    /// Returns the fields of an import.
    ///
    /// - Parameter typed: what was typed; it has other names, so that both forms can be on one page.
    static func importing(_ typed: [String: String] = [:], _ mistakes: [String: [String]] = [:]) -> [PlanTable.Field] {
        [("import-site", "Site of all floors"), ("import-building", "Building of all floors")].map { name, label in
            PlanTable.Field(name, label: label, value: typed[name] ?? "", mistakes: mistakes[name] ?? [])
        }
    }
}

/// Form with the scale of a picture, as it was typed. Pure.
struct FloorScaleForm {
    /// The scale; `nil` if there is a mistake.
    var scale: FloorPicture.Scale?
    /// Mistakes, by the names of fields.
    var mistakes: [String: [String]] = [:]

    private static let pixelRange = Int64(0)...20_000
    private static let distances = 0.01...2000.0

    init(_ fields: [String: String]) {
        let first = Self.pair(fields["first"] ?? "").flatMap { Self.pixels($0) }
        let second = Self.pair(fields["second"] ?? "").flatMap { Self.pixels($0) }
        let place = Self.pair(fields["place"] ?? "").flatMap { pair in
            PlanLimits.coordinates.contains(pair.x) && PlanLimits.coordinates.contains(pair.y) ? pair : nil
        }
        let distance = Double((fields["distance"] ?? "").filter { !$0.isWhitespace })
            .flatMap { Self.distances.contains($0) ? $0 : nil }
        let point = "Write a point of the picture as two numbers with a comma: 120,840."
        if first == nil { mistakes["first"] = [point] }
        if second == nil { mistakes["second"] = [point] }
        if let first, let second, first == second { mistakes["second"] = ["Choose another point than the first."] }
        if distance == nil { mistakes["distance"] = ["Write how many metres are between the points, such as 12.5."] }
        if place == nil { mistakes["place"] = ["Write a point of the plan in metres: 0,0."] }
        guard mistakes.isEmpty, let first, let second, let distance, let place else { return }
        scale = FloorPicture.Scale(
            x1: first.x, y1: first.y, x2: second.x, y2: second.y, distance: Self.millimetres(distance),
            planX: Self.millimetres(place.x), planY: Self.millimetres(place.y))
    }

    private struct Pixels: Equatable {
        var x: Int64
        var y: Int64
    }

    private static func pair(_ text: String) -> PlanPoint? {
        let parts = text.filter { !$0.isWhitespace }.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), x.isFinite, y.isFinite else {
            return nil
        }
        return PlanPoint(x: x, y: y)
    }

    private static func pixels(_ point: PlanPoint) -> Pixels? {
        guard let x = Int64(exactly: point.x.rounded()), let y = Int64(exactly: point.y.rounded()),
            pixelRange.contains(x), pixelRange.contains(y)
        else { return nil }
        return Pixels(x: x, y: y)
    }

    private static func millimetres(_ metres: Double) -> Int64 { Int64(exactly: (metres * 1000).rounded()) ?? 0 }

    /// Returns millimetres as metres, without zeros at the end.
    static func metres(_ millimetres: Int64) -> String { number(Double(millimetres) / 1000) }

    /// Returns a number to the millimetre, without zeros at the end.
    static func number(_ number: Double) -> String {
        var text = Format.fixed(number, 3)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
