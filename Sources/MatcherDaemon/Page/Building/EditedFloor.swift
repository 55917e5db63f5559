import FloorPlans
import InteractionStore
import Pages

/// Facts about a floor that is being drawn. Pure.
struct EditedFloor: Sendable {
    var site: String
    var building: String
    var floor: String
    /// The drawn floor as it is stored; `nil` if there is none.
    var drawn: DrawnFloor?
    /// Earlier versions, the latest first.
    var former: [DrawnFloor]
    /// Picture under the drawing, without its bytes.
    var picture: FloorPicture?
    var localisation: LocalisationSettings

    var path: String { "\(site)/\(building)/\(floor)" }

    /// Path of the floor's page.
    var pagePath: String { blank.pagePath }

    /// Plan of the floor in the file.
    private var filePlan: FloorPlan? { localisation.filePlans.first { $0.path == path } }

    /// Plan of the floor: the drawn one, or that of the file; `nil` if there is none.
    var plan: FloorPlan? { drawn.flatMap { MergedPlans.plan($0.toml, path: path) } ?? filePlan }

    /// Plans of all floors: those of the file, and all drawn ones, whether or not they count.
    var others: [FloorPlan] {
        MergedPlans.merged(
            localisation.filePlans, localisation.drawn.compactMap { MergedPlans.plan($0.toml, path: $0.path) })
    }

    /// A floor without anything.
    var blank: FloorPlan { FloorPlan(site: site, building: building, floor: floor, outline: PlanPolygon([])) }

    /// Returns the plan with which the drawing of a new floor begins: a rectangle.
    ///
    /// - Parameter query: `width`, `depth`, and optionally `name`, `elevation` and `height`.
    /// - Returns: `nil` without a possible width and depth.
    func beginning(_ query: [String: String]) -> FloorPlan? {
        guard let width = query["width"].flatMap({ Double($0) }), let depth = query["depth"].flatMap({ Double($0) }),
            NewFloorForm.sides.contains(width), NewFloorForm.sides.contains(depth)
        else { return nil }
        func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
            query[name].flatMap { Double($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        var plan = blank
        plan.name = query["name"].flatMap { FloorPlanFile.isName($0) ? $0 : nil }
        plan.height = number("height", in: PlanLimits.heights) ?? FloorPlan.usualHeight
        plan.elevation = number("elevation", in: PlanLimits.coordinates) ?? nextElevation
        plan.outline = PlanPolygon([
            PlanPoint(x: 0, y: 0), PlanPoint(x: width, y: 0), PlanPoint(x: width, y: depth), PlanPoint(x: 0, y: depth),
        ])
        return plan
    }

    /// Height above the highest floor of the building.
    private var nextElevation: Double {
        let tops = others.filter { $0.buildingPath == "\(site)/\(building)" }.map { $0.elevation + $0.height }
        // Sums such as 6.4 + 3.2 have digits that nobody typed.
        return ((tops.max() ?? 0) * 1000).rounded() / 1000
    }

    /// Warnings about drawn floors of the building that do not count.
    var warnings: [String] {
        localisation.drawnWarnings.filter { $0.hasPrefix("\(site)/\(building):") || $0.hasPrefix("\(path):") }
            .map { $0 + "." }
    }

    /// Returns where the plan is from, in a sentence.
    func origin(_ words: DayWords) -> String {
        if let drawn {
            let saved = "Saved by \(drawn.by) at \(words.time(drawn.at))."
            return filePlan == nil ? saved : saved + " It counts instead of the floor in the file of plans."
        }
        return filePlan == nil
            ? "This floor is new: nothing is saved yet."
            : "This floor is in the file of plans. What you save here counts instead of it."
    }

    /// Consequence of removing the drawn floor; `nil` if there is none.
    var removal: String? {
        if drawn == nil { return nil }
        return filePlan == nil
            ? "Without it, nobody is located on this floor any more."
            : "Then the floor in the file of plans counts again."
    }

    /// The picture on the plan; `nil` if there is none.
    var underlay: PlanUnderlay? {
        picture.flatMap { picture in
            FloorPicture.underlay(
                picture.scale, size: (Double(picture.width), Double(picture.height)),
                href: "\(pagePath)/picture?v=\(picture.tag)")
        }
    }

    /// Returns the fields of the picture's scale.
    func underlayFields(mistakes: [String: [String]]) -> PlanPage.Underlay {
        let scale = picture?.scale
        func pixels(_ x: Int64?, _ y: Int64?) -> String { x.flatMap { x in y.map { "\(x),\($0)" } } ?? "" }
        func metres(_ number: Int64?) -> String? { number.map { FloorScaleForm.metres($0) } }
        let place = metres(scale?.planX).flatMap { x in metres(scale?.planY).map { "\(x),\($0)" } }
        func field(_ name: String, _ label: String, _ value: String) -> PlanTable.Field {
            PlanTable.Field(name, label: label, value: value, size: "small", mistakes: mistakes[name] ?? [])
        }
        return PlanPage.Underlay(
            isThere: picture != nil,
            scale: [
                field("first", "First point in pixels, such as 120,840", pixels(scale?.x1, scale?.y1)),
                field("second", "Second point in pixels", pixels(scale?.x2, scale?.y2)),
                field("distance", "Distance of both in metres", metres(scale?.distance) ?? ""),
                field("place", "Place of the first point on the plan, such as 0,0", place ?? "0,0"),
            ], extent: picture.map { "the picture is \($0.width) pixels wide and \($0.height) high" })
    }
}

/// Differences between two drawings of a floor, in sentences. Pure.
enum PlanDifference {
    private static let most = 20

    static func sentences(theirs: FloorPlan, own: FloorPlan) -> [String] {
        var sentences: [String] = []
        let (other, mine) = (
            Dictionary(theirs.rooms.map { ($0.name, $0) }) { first, _ in first },
            Dictionary(own.rooms.map { ($0.name, $0) }) { first, _ in first }
        )
        for room in theirs.rooms {
            guard let same = mine[room.name] else {
                sentences.append("Only their version has the room \(room.name).")
                continue
            }
            if same != room { sentences.append("The room \(room.name) is drawn differently.") }
        }
        for room in own.rooms where other[room.name] == nil {
            sentences.append("Only your version has the room \(room.name).")
        }
        if theirs.outline != own.outline { sentences.append("The outlines differ.") }
        for (noun, isSame, counts) in [
            ("doors", theirs.doors == own.doors, (theirs.doors.count, own.doors.count)),
            ("walls", theirs.walls == own.walls, (theirs.walls.count, own.walls.count)),
            ("stairs and lifts", theirs.passages == own.passages, (theirs.passages.count, own.passages.count)),
        ] where !isSame {
            sentences.append("Different \(noun): \(counts.0) in their version, \(counts.1) in yours.")
        }
        let others = sentences.count - most
        return sentences.prefix(most) + (others > 0 ? ["Further differences, not listed: \(others)."] : [])
    }
}
