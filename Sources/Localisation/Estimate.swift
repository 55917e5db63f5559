package import FloorPlans
import RealModule

/// Where a subject is at one time, as probabilities.
package struct Estimate: Equatable, Sendable {
    /// Most probable floor, as an index of the building's plans.
    package var floor: Int
    /// Probability of the floor.
    package var floorProbability: Double
    /// Probabilities of the floor's rooms; they add up to `floorProbability` with the room `nil`, the floor between
    /// rooms.
    package var rooms: [RoomProbability]
    /// Mean position on the floor.
    package var position: PlanPoint
    /// Radius round `position` within which the subject is with a probability of 90 %, in metres.
    package var radius: Double

    /// The probability of a room.
    package struct RoomProbability: Equatable, Sendable {
        /// Index of the room in the floor's plan; `nil` for the floor between rooms.
        package var room: Int?
        package var probability: Double

        package init(room: Int?, probability: Double) {
            self.room = room
            self.probability = probability
        }
    }

    package init(
        floor: Int, floorProbability: Double, rooms: [RoomProbability], position: PlanPoint, radius: Double
    ) {
        self.floor = floor
        self.floorProbability = floorProbability
        self.rooms = rooms
        self.position = position
        self.radius = radius
    }

    /// Most probable room with its probability; `room` is `nil` for the floor between rooms.
    package var best: RoomProbability { rooms.first ?? RoomProbability(room: nil, probability: 0) }

    /// Share of the probability that the region holds.
    package static let regionShare: Float = 0.9
    /// Probability below which a room is not listed.
    private static let leastRoom = 0.005

    /// Creates the estimate of a distribution; `nil` if it is nowhere.
    ///
    /// - Parameters:
    ///   - floors: probabilities of the cells by floor.
    ///   - flattening: power by which they are flattened for the position; a multiple of 1/8 from 1/8 to 1.
    ///   - region: the same for the region; `nil` if it is equal, or none on a floor without rooms.
    package init?(_ model: BuildingModel, _ floors: [[Float]?], flattening: Double, region: Double? = nil) {
        let masses = floors.map { $0?.reduce(0, +) ?? 0 }
        let total = masses.reduce(0, +)
        guard total > 0, total.isFinite, let floor = masses.indices.max(by: { masses[$0] < masses[$1] }),
            let values = floors[floor]
        else { return nil }
        let grid = model.grids[floor]
        var sums = [Float](repeating: 0, count: grid.roomCount + 1)
        for index in grid.inside {
            let room = grid.rooms[Int(index)]
            sums[room < 0 ? grid.roomCount : Int(room)] += values[Int(index)]
        }
        var rooms: [RoomProbability] = []
        for (index, sum) in sums.enumerated() {
            let probability = Double(sum / total)
            guard probability >= Self.leastRoom else { continue }
            rooms.append(RoomProbability(room: index == grid.roomCount ? nil : index, probability: probability))
        }
        rooms.sort { ($0.probability, $1.room ?? .max) > ($1.probability, $0.room ?? .max) }
        let region = region ?? (grid.roomCount == 0 ? model.settings.openRegionFlattening : flattening)
        let (position, radius) = Self.region(
            values, grid, eighths: Int((flattening * 8).rounded()), regionEighths: Int((region * 8).rounded()))
        self.init(
            floor: floor, floorProbability: Double(masses[floor] / total), rooms: rooms, position: position,
            radius: radius)
    }

    /// Returns the mean of a flattened distribution, and the radius of its region.
    private static func region(
        _ values: [Float], _ grid: FloorGrid, eighths: Int, regionEighths: Int
    ) -> (PlanPoint, Double) {
        // Relative to the greatest value, and without cells that together hold next to nothing.
        let greatest = values.max() ?? 0
        var cells: [(index: Int32, mass: Float)] = []
        var (mass, x, y) = (Float(0), Float(0), Float(0))
        for index in grid.inside where values[Int(index)] > greatest * 1e-8 {
            let value = values[Int(index)] / greatest
            let flat = power(value, eighths: eighths)
            cells.append((index, regionEighths == eighths ? flat : power(value, eighths: regionEighths)))
            mass += flat
            x += flat * (Float(Int(index) / grid.rows) + 0.5)
            y += flat * (Float(Int(index) % grid.rows) + 0.5)
        }
        guard mass > 0 else { return (PlanPoint(x: 0, y: 0), 0) }
        let (middleX, middleY) = (x / mass, y / mass)
        // Masses by distance from the mean, in quarters of a cell's side.
        var rings = [Float](repeating: 0, count: 4 * (grid.columns + grid.rows) + 8)
        let regionMass = cells.reduce(0) { $0 + $1.mass }
        for (index, flat) in cells {
            let (dx, dy) = (
                Float(Int(index) / grid.rows) + 0.5 - middleX, Float(Int(index) % grid.rows) + 0.5 - middleY
            )
            rings[Int(4 * (dx * dx + dy * dy).squareRoot())] += flat
        }
        var (sum, ring) = (Float(0), 0)
        while ring < rings.count - 1, sum + rings[ring] < regionShare * regionMass {
            sum += rings[ring]
            ring += 1
        }
        // At least to the corner of a cell.
        let radius = max(Double(ring + 1) / 4, 0.71) * grid.cell
        return (
            PlanPoint(
                x: grid.origin.x + Double(middleX) * grid.cell, y: grid.origin.y + Double(middleY) * grid.cell),
            radius
        )
    }

    /// Returns a number from 0 to 1 to the power of a number of eighths.
    private static func power(_ value: Float, eighths: Int) -> Float {
        if eighths >= 8 { return value }
        let half = value.squareRoot()
        let quarter = half.squareRoot()
        let eighth = quarter.squareRoot()
        return (eighths & 4 != 0 ? half : 1) * (eighths & 2 != 0 ? quarter : 1) * (eighths & 1 != 0 ? eighth : 1)
    }
}
