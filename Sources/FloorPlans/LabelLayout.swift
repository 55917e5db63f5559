/// Places of labels beside dots, so that no label covers another one or a name of the plan.
///
/// Coordinates are those of pictures: the second axis runs downwards. The script of the page of a floor follows the same
/// rule when dots move.
package struct LabelLayout {
    /// A dot that has a label.
    package struct Dot: Equatable, Sendable {
        package var center: PlanPoint
        package var label: String

        package init(center: PlanPoint, label: String) {
            self.center = center
            self.label = label
        }
    }

    /// A rectangle in the picture.
    package struct Box: Equatable, Sendable {
        package var center: PlanPoint
        package var width: Double
        package var height: Double

        package init(center: PlanPoint, width: Double, height: Double) {
            self.center = center
            self.width = width
            self.height = height
        }

        /// Rectangle that a line of text covers at most.
        package init(text: String, center: PlanPoint, size: Double) {
            self.init(center: center, width: LabelLayout.width(of: text) * size, height: LabelLayout.line * size)
        }

        /// Returns whether two rectangles share more than an edge.
        package func overlaps(_ other: Box) -> Bool {
            abs(center.x - other.center.x) * 2 < width + other.width
                && abs(center.y - other.center.y) * 2 < height + other.height
        }

        /// Returns whether another rectangle is inside this one.
        package func contains(_ other: Box) -> Bool {
            abs(center.x - other.center.x) * 2 <= width - other.width
                && abs(center.y - other.center.y) * 2 <= height - other.height
        }
    }

    /// Rectangle of the picture, which labels do not leave.
    package var bounds: Box
    /// Boxes that labels never cover: names of rooms and passages.
    package var names: [Box]
    /// Radius of a dot.
    package var radius: Double
    /// Height of the letters.
    package var size: Double

    /// Maximum number of labels that are placed. Others are left out.
    package static let most = 200
    /// Height of a line of text, in heights of the letters.
    static let line = 1.35

    package init(bounds: Box, names: [Box], radius: Double, size: Double) {
        self.bounds = bounds
        self.names = names
        self.radius = radius
        self.size = size
    }

    /// Returns the rectangles of the labels in the order of their dots; `nil` for a label that has no room.
    ///
    /// The dots are served in turn. Of the eight places round its dot a label takes the first that covers no name, label
    /// or dot; if there is none, the first that covers no name and no label.
    package func places(of dots: [Dot]) -> [Box?] {
        let marks = dots.map { Box(center: $0.center, width: radius * 2, height: radius * 2) }
        var taken = names
        return dots.enumerated().map { index, dot -> Box? in
            guard index < Self.most, !dot.label.isEmpty else { return nil }
            let free = candidates(of: dot).filter { box in
                bounds.contains(box) && !taken.contains { $0.overlaps(box) }
            }
            let place = free.first { box in !marks.contains { $0.overlaps(box) } } ?? free.first
            if let place { taken.append(place) }
            return place
        }
    }

    /// Returns the places round a dot: above, right, left and below, then the corners.
    private func candidates(of dot: Dot) -> [Box] {
        let (width, height) = (Self.width(of: dot.label) * size, Self.line * size)
        let beside = radius + size * 0.3 + width / 2
        let corner = radius * 0.7 + width / 2
        let above = radius + size * 0.1 + height / 2
        let offsets: [(Double, Double)] = [
            (0, -above), (beside, 0), (-beside, 0), (0, above),
            (corner, -above), (-corner, -above), (corner, above), (-corner, above),
        ]
        return offsets.map { x, y in
            Box(center: PlanPoint(x: dot.center.x + x, y: dot.center.y + y), width: width, height: height)
        }
    }

    /// Returns an upper limit of the width of a text in bold letters, in heights of the letters.
    static func width(of text: String) -> Double { text.unicodeScalars.reduce(0) { $0 + width(of: $1) } }

    private static func width(of letter: Unicode.Scalar) -> Double {
        switch letter {
        case "i", "j", "l", "t", "f", "r", "I", ".", ",", ":", ";", "'", "!", "|", "(", ")", "-", " ": 0.5
        case "m", "w", "M", "W", "@", "%": 1.1
        case "A"..."Z": 0.86
        // Letters of other scripts can be as wide as they are high.
        case "\u{1100}"..."\u{10FFFF}": 1.1
        default: 0.74
        }
    }
}
