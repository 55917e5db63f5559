import BeaconModel

/// Pictures of floors in SVG. Lengths in it are metres; the same plan gives the same text.
package struct FloorPlanDrawing {
    /// Something at a position with a radius of uncertainty, such as a person.
    package struct Mark: Equatable, Sendable {
        package var position: PlanPoint
        /// Radius in metres; 0 draws the point alone.
        package var radius: Double
        package var label: String?
        /// Class of the mark for style sheets, made up of a-z, 0-9 and -: `person`.
        package var kind: String

        package init(position: PlanPoint, radius: Double = 0, label: String? = nil, kind: String = "person") {
            self.position = position
            self.radius = radius
            self.label = label
            self.kind = kind
        }
    }

    /// State of a receiver, as the picture shows it.
    package struct ReceiverState: Equatable, Sendable {
        package var sign: StateSign
        /// State in words, which follow the receiver's name.
        package var words: String

        package init(_ sign: StateSign, words: String) {
            self.sign = sign
            self.words = words
        }
    }

    /// Place of the style sheet.
    package enum Styling: Sendable {
        /// In the picture: for a file of its own.
        case embedded
        /// Elsewhere, as `styleSheet`: for a page whose security policy allows no styles within it.
        case external
    }

    /// Parts of the floor that are shaded, as squares.
    package struct Shade: Equatable, Sendable {
        /// Class of the shade for style sheets; as that of a mark.
        package var kind: String
        package var strips: [Strip]
        /// Side of a square in metres.
        package var side: Double

        /// Squares side by side along the first axis.
        package struct Strip: Equatable, Sendable {
            /// Corner with the least coordinates.
            package var corner: PlanPoint
            package var count: Int

            package init(corner: PlanPoint, count: Int) {
                self.corner = corner
                self.count = count
            }
        }

        package init(kind: String, strips: [Strip], side: Double) {
            self.kind = kind
            self.strips = strips
            self.side = side
        }
    }

    package var plan: FloorPlan
    package var receivers: [PlanReceiver]
    package var marks: [Mark]
    package var shades: [Shade] = []
    /// Picture under the lines.
    package var underlay: PlanUnderlay?
    /// States of receivers by path, which are drawn as signs; those of others are not known. `nil` draws no states.
    package var states: [String: ReceiverState]?
    /// Whether names of rooms are above the middle of their rooms, where a receiver often hangs.
    package var raisesNames = false
    package var styling: Styling
    /// Beginning of identifiers, so that a page can have several pictures.
    package var id: String

    package init(
        _ plan: FloorPlan, receivers: [PlanReceiver] = [], marks: [Mark] = [], styling: Styling = .embedded,
        id: String = "floor-plan"
    ) {
        self.plan = plan
        self.receivers = receivers
        self.marks = marks
        self.styling = styling
        self.id = id
    }

    /// Rules for light and dark backgrounds. The colours keep a contrast of 4.5 to 1 for text.
    package static let styleSheet = """
        .floor-plan { color: #1d2733; background: #ffffff; }
        .floor-plan text { font-family: system-ui, sans-serif; fill: currentColor; }
        .floor-plan .floor { fill: #f1f3f5; }
        .floor-plan .room { fill: #ffffff; }
        .floor-plan .walls, .floor-plan .scale { stroke: currentColor; fill: none; }
        .floor-plan .door { stroke: #5c6875; fill: none; }
        .floor-plan .passage { fill: #dbe4ec; stroke: #5c6875; }
        .floor-plan .receiver { fill: #0b6bcb; }
        .floor-plan .uncertainty { fill: #b3400e; fill-opacity: 0.18; }
        .floor-plan .mark { fill: #b3400e; }
        @media (prefers-color-scheme: dark) {
          .floor-plan { color: #e6ebf0; background: #14191f; }
          .floor-plan .floor { fill: #1b2129; }
          .floor-plan .room { fill: #232b35; }
          .floor-plan .door, .floor-plan .passage { stroke: #97a5b4; }
          .floor-plan .passage { fill: #33404d; }
          .floor-plan .receiver { fill: #6cb4ff; }
          .floor-plan .uncertainty, .floor-plan .mark { fill: #ffa26b; }
        }

        """

    /// The picture as one element `svg`.
    package var svg: String {
        let layout = DrawingLayout(plan)
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"floor-plan\" role=\"img\" viewBox=\"\(layout.viewBox)\" "
                + "aria-labelledby=\"\(id.xml)-title \(id.xml)-desc\">",
            "<title id=\"\(id.xml)-title\">\(title.xml)</title>",
            "<desc id=\"\(id.xml)-desc\">\(description.xml)</desc>",
        ]
        if styling == .embedded { lines += ["<style>", String(Self.styleSheet.dropLast()), "</style>"] }
        if clipsUncertainty {
            // Nobody is outside of the floor. The circle of somebody at its edge ends there, and not at the picture's.
            lines.append(
                "<clipPath id=\"\(id.xml)-floor\"><polygon points=\"\(plan.outline.points.svg)\"/></clipPath>")
        }
        // The second axis of plans runs upwards, that of pictures downwards.
        lines.append("<g transform=\"scale(1,-1)\">")
        lines.append("<polygon class=\"floor\" points=\"\(plan.outline.points.svg)\"/>")
        for room in plan.rooms {
            lines.append(
                "<polygon class=\"room\" data-room=\"\(room.name.xml)\" points=\"\(room.polygon.points.svg)\"/>")
        }
        for shade in shades {
            let squares = shade.strips.map { strip -> String in
                let width = shade.side * Double(strip.count)
                return "M\(strip.corner.x.svg) \(strip.corner.y.svg)h\(width.svg)v\(shade.side.svg)h-\(width.svg)z"
            }
            lines.append(
                "<path class=\"shade \(Self.cleanClass(shade.kind))\" stroke=\"none\" d=\"\(squares.joined())\"/>")
        }
        if let underlay {
            lines.append(
                "<image class=\"underlay\" href=\"\(underlay.href.xml)\" transform=\"scale(1,-1)\" "
                    + "x=\"\(underlay.left.svg)\" y=\"\((-underlay.top).svg)\" width=\"\(underlay.width.svg)\" "
                    + "height=\"\(underlay.height.svg)\" preserveAspectRatio=\"none\"/>")
        }
        lines += walls(layout)
        for passage in plan.passages { lines += self.lines(of: passage, layout) }
        lines += states.map { signs($0, layout) } ?? circles(layout)
        let radius = styling == .external ? " data-radius=\"\(layout.mark.svg)\"" : ""
        lines.append("<g class=\"marks\"\(radius)>")
        for mark in marks where mark.position.x.isFinite && mark.position.y.isFinite {
            lines += self.lines(of: mark, layout)
        }
        lines += ["</g>", "</g>"]
        lines += labels(layout)
        lines.append("</svg>")
        return lines.map { $0 + "\n" }.joined()
    }

    /// Whether circles of uncertainty end at the edge of the floor: there are some, or a script adds them.
    private var clipsUncertainty: Bool { !marks.isEmpty || styling == .external }

    private var title: String { plan.name.map { "\($0) (\(plan.path))" } ?? plan.path }

    private var description: String {
        let placed = receivers.count { $0.drawnPoint != nil }
        let counts = [
            (plan.rooms.count, "room", "rooms"), (plan.doors.count, "door", "doors"),
            (placed, "receiver", "receivers"),
        ].map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        return "Plan of a floor with \(counts.joined(separator: ", ")). Lengths are in metres."
    }

    /// Receivers with a position that can be drawn, in the order of their paths.
    private var placed: [(receiver: PlanReceiver, point: PlanPoint)] {
        receivers.sorted { $0.path < $1.path }.compactMap { receiver in
            receiver.drawnPoint.map { (receiver: receiver, point: $0) }
        }
    }

    /// Returns the receivers without states.
    private func circles(_ layout: DrawingLayout) -> [String] {
        placed.map { receiver, point in
            "<circle class=\"receiver\" data-receiver=\"\(receiver.path.xml)\" cx=\"\(point.x.svg)\" "
                + "cy=\"\(point.y.svg)\" r=\"\(layout.mark.svg)\"><title>\(receiver.name.xml)</title></circle>"
        }
    }

    /// Returns the receivers with their states, in groups that are not flipped, and the shapes of the signs.
    private func signs(_ states: [String: ReceiverState], _ layout: DrawingLayout) -> [String] {
        var lines = ["</g>", "<defs>"]
        for sign in StateSign.allCases {
            lines.append(
                "<symbol id=\"\(id.xml)-sign-\(sign.rawValue)\" viewBox=\"-1.2 -1.2 2.4 2.4\">"
                    + "<path fill-rule=\"evenodd\" d=\"\(sign.path)\"/></symbol>")
        }
        lines += ["</defs>", "<g class=\"receivers\">"]
        let half = layout.mark * 1.5
        for (receiver, point) in placed {
            let state = states[receiver.path]
            let sign = state?.sign ?? .unknown
            let title = receiver.name + (state.map { ": " + $0.words } ?? "")
            lines.append(
                "<use class=\"receiver \(sign.rawValue)\" data-receiver=\"\(receiver.path.xml)\" "
                    + "href=\"#\(id.xml)-sign-\(sign.rawValue)\" x=\"\((point.x - half).svg)\" "
                    + "y=\"\((-point.y - half).svg)\" width=\"\((half * 2).svg)\" height=\"\((half * 2).svg)\">"
                    + "<title>\(title.xml)</title></use>")
        }
        return lines + ["</g>", "<g transform=\"scale(1,-1)\">"]
    }

    /// Returns the walls, with gaps for doors, and the leaves of doors.
    private func walls(_ layout: DrawingLayout) -> [String] {
        var path = ""
        let segments =
            plan.outline.edges + plan.rooms.flatMap(\.polygon.edges) + plan.walls.flatMap(\.segments)
        let cutter = DoorCutter(plan.doors, in: segments)
        var drawn: Set<PlanSegment> = []
        for segment in segments {
            // Neighbouring rooms share edges.
            guard drawn.insert(segment).inserted, !drawn.contains(PlanSegment(segment.end, segment.start)) else {
                continue
            }
            for part in cutter.parts(of: segment) {
                path += "M\(part.start.x.svg) \(part.start.y.svg)L\(part.end.x.svg) \(part.end.y.svg)"
            }
        }
        let width = layout.line * 2
        var lines = [
            "<path class=\"walls\" stroke=\"currentColor\" fill=\"none\" stroke-linecap=\"round\" "
                + "stroke-width=\"\(width.svg)\" d=\"\(path)\"/>"
        ]
        for gap in cutter.gaps(in: segments) {
            lines.append(
                "<line class=\"door\" stroke=\"currentColor\" stroke-width=\"\((layout.line / 2).svg)\" "
                    + "stroke-dasharray=\"\((layout.line * 2).svg)\" x1=\"\(gap.start.x.svg)\" y1=\"\(gap.start.y.svg)\" "
                    + "x2=\"\(gap.end.x.svg)\" y2=\"\(gap.end.y.svg)\"/>")
        }
        return lines
    }

    /// Returns a square with the treads of stairs, or with the cross of a lift.
    private func lines(of passage: FloorPlan.Passage, _ layout: DrawingLayout) -> [String] {
        let size = layout.mark * 3
        let (left, bottom) = (passage.position.x - size / 2, passage.position.y - size / 2)
        let (right, top) = (left + size, bottom + size)
        let path =
            switch passage.kind {
            case .stairs:
                [0.25, 0.5, 0.75].map { "M\(left.svg) \((bottom + size * $0).svg)H\(right.svg)" }.joined()
            case .lift:
                "M\(left.svg) \(bottom.svg)L\(right.svg) \(top.svg)M\(left.svg) \(top.svg)L\(right.svg) \(bottom.svg)"
            }
        let kind =
            "class=\"passage \(passage.kind.rawValue)\" stroke=\"currentColor\" stroke-width=\"\(layout.line.svg)\""
        return [
            "<rect \(kind) x=\"\(left.svg)\" y=\"\(bottom.svg)\" width=\"\(size.svg)\" height=\"\(size.svg)\"/>",
            "<path \(kind) d=\"\(path)\"/>",
        ]
    }

    /// Returns a class if it is made up of a-z, 0-9 and -; else none.
    private static func cleanClass(_ kind: String) -> String {
        kind.utf8.allSatisfy { $0 == 0x2D || 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 } ? kind : ""
    }

    private func lines(of mark: Mark, _ layout: DrawingLayout) -> [String] {
        let kind = Self.cleanClass(mark.kind)
        let centre = "cx=\"\(mark.position.x.svg)\" cy=\"\(mark.position.y.svg)\""
        let title = mark.label.map { "<title>\($0.xml)</title>" } ?? ""
        var lines: [String] = []
        if mark.radius > 0, mark.radius.isFinite {
            lines.append(
                "<circle class=\"uncertainty \(kind)\" \(centre) r=\"\(mark.radius.svg)\" "
                    + "clip-path=\"url(#\(id.xml)-floor)\"/>")
        }
        lines.append("<circle class=\"mark \(kind)\" \(centre) r=\"\(layout.mark.svg)\">\(title)</circle>")
        return lines
    }
}

extension PlanReceiver {
    /// The position, if it can be drawn.
    fileprivate var drawnPoint: PlanPoint? {
        point.flatMap { PlanLimits.coordinates.contains($0.x) && PlanLimits.coordinates.contains($0.y) ? $0 : nil }
    }
}
