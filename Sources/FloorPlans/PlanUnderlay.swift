/// Where a picture lies under the drawing of a floor.
package struct PlanUnderlay: Equatable, Sendable {
    /// Address of the picture.
    package var href: String
    /// Left edge and upper edge on the plan, in metres.
    package var left: Double
    package var top: Double
    /// Size on the plan in metres.
    package var width: Double
    package var height: Double

    /// Greatest side of a picture on a plan, in metres.
    private static let longest = 20_000.0

    /// Places a picture, whose sides are parallel to the axes of the plan.
    ///
    /// - Parameters:
    ///   - size: width and height in pixels.
    ///   - first: a point of the picture in pixels, from its left and upper edges.
    ///   - second: another point.
    ///   - distance: distance of both in metres.
    ///   - place: place of the first point on the plan.
    /// - Returns: `nil` if both points are the same, or if the picture would be larger than any floor.
    package init?(
        href: String, size: (width: Double, height: Double), first: PlanPoint, second: PlanPoint, distance: Double,
        place: PlanPoint
    ) {
        let pixels = first.distance(to: second)
        guard pixels > 0, distance > 0 else { return nil }
        let scale = distance / pixels
        (width, height) = (size.width * scale, size.height * scale)
        (left, top) = (place.x - first.x * scale, place.y + first.y * scale)
        self.href = href
        guard width.isFinite, height.isFinite, max(width, height) <= Self.longest,
            PlanLimits.coordinates.contains(left), PlanLimits.coordinates.contains(top)
        else { return nil }
    }
}
