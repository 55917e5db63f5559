/// Texts of a picture.
extension FloorPlanDrawing {
    /// A line of text around its middle, in coordinates of the picture.
    private struct Text {
        var label: String
        var center: PlanPoint
        var size: Double
        var kind: String

        var box: LabelLayout.Box { LabelLayout.Box(text: label, center: center, size: size) }

        var svg: String {
            "<text class=\"\(kind)\" x=\"\(center.x.svg)\" y=\"\(center.y.svg)\" font-size=\"\(size.svg)\" "
                + "dominant-baseline=\"middle\">\(label.xml)</text>"
        }
    }

    /// Returns the names of rooms and passages.
    private func names(_ layout: DrawingLayout) -> [Text] {
        var names: [Text] = []
        for room in plan.rooms {
            guard let point = room.polygon.labelPoint, let box = PlanBox(room.polygon.points) else { continue }
            // A letter is a little more than half as wide as it is high.
            let fitting = box.width * 0.9 / (0.6 * Double(max(room.name.count, 1)))
            let size = max(min(fitting, layout.text), layout.text / 4)
            let middle = PlanPoint(x: point.x, y: -point.y - (raisesNames ? size * 1.2 : 0))
            let growth = styling == .external ? growth(of: size, across: fitting, height: box.height) : nil
            let kind = growth.map { "name grows-\($0)" } ?? "name"
            names.append(Text(label: room.name, center: middle, size: size, kind: kind))
        }
        for passage in plan.passages {
            let y = passage.position.y - layout.mark * 1.5 - layout.text * 0.5
            names.append(
                Text(
                    label: passage.name, center: PlanPoint(x: passage.position.x, y: -y), size: layout.text * 0.6,
                    kind: "passage-name"))
        }
        return names
    }

    /// Returns to how many tenths of its size a name can grow on a small screen, in steps of two up to 20: it grows
    /// upwards from its lower edge, and stays in its room. `nil` if it cannot.
    ///
    /// - Parameters:
    ///   - size: height of its letters.
    ///   - fitting: height of the letters with which it is as wide as its room.
    ///   - height: height of the room.
    private func growth(of size: Double, across fitting: Double, height: Double) -> Int? {
        // Lower edge of the text, from the middle of the room.
        let edge = raisesNames ? size * 0.6 : -size * 0.6
        let upwards = (height / 2 - edge) / (size * 1.2)
        let tenths = Int(max(0, min(fitting / size, upwards, 2)) * 5) * 2
        return tenths >= 12 ? tenths : nil
    }

    /// Returns the labels of marks that have room. The names of others are in the titles of their marks.
    private func markLabels(_ names: [Text], _ layout: DrawingLayout) -> [Text] {
        let size = layout.text * 0.6
        let dots = marks.filter { $0.position.x.isFinite && $0.position.y.isFinite }.map {
            LabelLayout.Dot(center: PlanPoint(x: $0.position.x, y: -$0.position.y), label: $0.label ?? "")
        }
        let places = LabelLayout(bounds: layout.bounds, names: names.map(\.box), radius: layout.mark, size: size)
            .places(of: dots)
        return zip(dots, places).compactMap { dot, place in
            place.map { Text(label: dot.label, center: $0.center, size: size, kind: "mark-label") }
        }
    }

    /// Returns all texts, in a group that is not flipped, and the scale bar.
    func labels(_ layout: DrawingLayout) -> [String] {
        let size = styling == .external ? " data-size=\"\((layout.text * 0.6).svg)\"" : ""
        let names = names(layout)
        var lines = ["<g class=\"labels\" text-anchor=\"middle\"\(size)>"]
        lines += (names + markLabels(names, layout)).map(\.svg)
        lines.append("</g>")
        lines += layout.scaleBar
        return lines
    }
}
