/// Sizes in a picture of a floor, in metres. They follow the size of the floor, so that all floors look alike.
struct DrawingLayout {
    /// Rectangle around the outline and all rooms.
    private let box: PlanBox
    private let margin: Double
    /// Width of a thin line.
    let line: Double
    /// Radius of a receiver.
    let mark: Double
    /// Greatest height of a text.
    let text: Double

    init(_ plan: FloorPlan) {
        let points = plan.outline.points + plan.rooms.flatMap(\.polygon.points) + plan.walls.flatMap(\.points)
        box = PlanBox(points) ?? .origin
        let side = max(box.width, box.height, 1)
        margin = side * 0.04
        line = side / 400
        mark = side / 120
        text = max(side / 45, 0.1)
    }

    /// Height of the strip below the floor that has the scale bar.
    private var strip: Double { text * 2.5 }

    var viewBox: String {
        [
            box.least.x - margin, -box.greatest.y - margin, box.width + 2 * margin, box.height + 2 * margin + strip,
        ].map(\.svg).joined(separator: " ")
    }

    /// Rectangle of the picture without the strip of the scale bar.
    var bounds: LabelLayout.Box {
        LabelLayout.Box(
            center: PlanPoint(x: (box.least.x + box.greatest.x) / 2, y: -(box.least.y + box.greatest.y) / 2),
            width: box.width + 2 * margin, height: box.height + 2 * margin)
    }

    /// Length of the scale bar: 1, 2 or 5 metres, or a power of ten times that, at most a quarter of the width.
    private var scale: Double {
        var best = 1.0
        var power = 1.0
        while power < 10_000 {
            for step in [1.0, 2, 5] where step * power <= max(box.width, 1) / 4 { best = step * power }
            power *= 10
        }
        return best
    }

    var scaleBar: [String] {
        let (left, top) = (box.least.x, -box.least.y + margin * 0.75)
        let (right, tick) = (left + scale, text * 0.3)
        return [
            "<g class=\"scale-bar\">",
            "<path class=\"scale\" stroke=\"currentColor\" fill=\"none\" stroke-width=\"\(line.svg)\" "
                + "d=\"M\(left.svg) \((top - tick).svg)V\((top + tick).svg)M\(left.svg) \(top.svg)H\(right.svg)"
                + "M\(right.svg) \((top - tick).svg)V\((top + tick).svg)\"/>",
            "<text x=\"\((left + scale / 2).svg)\" y=\"\((top + text * 1.1).svg)\" text-anchor=\"middle\" "
                + "font-size=\"\((text * 0.7).svg)\">\(scale.svg) m</text>",
            "</g>",
        ]
    }
}
