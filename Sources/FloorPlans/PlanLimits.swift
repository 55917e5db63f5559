/// Limits of what is read as a floor plan, so that time and memory are bounded for any file.
package enum PlanLimits {
    /// Maximum size of a file of plans, in bytes.
    package static let bytes = 4 * 1024 * 1024
    /// Greatest distance of a point from the origin along each axis, in metres.
    package static let coordinate = 10_000.0
    package static let floors = 200
    /// Maximum numbers of parts of a floor.
    package static let rooms = 2000
    package static let walls = 5000
    package static let doors = 5000
    package static let passages = 200
    /// Maximum number of points of a polygon or wall.
    package static let points = 200
    /// Maximum length of a name in Unicode scalars.
    package static let nameLength = 100
    /// Attenuations in dB.
    package static let attenuations = 0.0...60.0
    /// Heights of a storey in metres.
    package static let heights = 1.5...30.0
    /// Widths of a door in metres.
    package static let doorWidths = 0.3...30.0
    package static let capacities = 1...100_000

    package static let coordinates = -coordinate...coordinate
}
