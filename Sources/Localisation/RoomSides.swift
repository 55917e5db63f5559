import FloorPlans

/// A room with receivers on both sides of its walls, so that levels tell whether somebody is inside or outside.
struct RoomSides: Sendable {
    let floor: Int
    /// Index of the room in the floor's plan.
    let room: Int
    /// Indices of the receivers in the room.
    let inside: [Int]
    /// Indices of the receivers outside that are near its walls.
    let outside: [Int]
    /// 1 for the cells of the room, and 0 for the others.
    let share: [Cells]
    /// Groups of cells in which cells of the room are.
    private let groups: Range<Int>
    /// Expected difference between inside and outside by cell of the floor, in dB.
    let expected: [Cells]

    /// Number of receivers that a room needs on each side.
    private static let least = 2
    /// Distance of a receiver from the walls within which it hears who is just outside, in metres.
    static let reach = 8.0

    /// Returns the rooms of a building that have receivers on both sides.
    static func all(
        plans: [FloorPlan], grids: [FloorGrid], receivers: [ReceiverSite], maps: [[RadioMap]]
    ) -> [RoomSides] {
        let rooms = receivers.map { receiver in
            plans[receiver.floor].rooms.firstIndex { $0.polygon.contains(receiver.position) }
        }
        return plans.indices.flatMap { floor in
            plans[floor].rooms.indices.compactMap { room in
                RoomSides(floor, room, plans[floor], grids[floor], receivers, rooms, maps[floor])
            }
        }
    }

    /// Creates the sides of a room; `nil` if it has too few receivers on one of them.
    private init?(
        _ floor: Int, _ room: Int, _ plan: FloorPlan, _ grid: FloorGrid, _ receivers: [ReceiverSite], _ rooms: [Int?],
        _ maps: [RadioMap]
    ) {
        let onFloor = receivers.indices.filter { receivers[$0].floor == floor }
        inside = onFloor.filter { rooms[$0] == room }
        guard inside.count >= Self.least else { return nil }
        let others = onFloor.filter { rooms[$0] != room }
        let edges = plan.rooms[room].polygon.edges
        outside = others.filter { receiver in
            edges.contains { $0.nearest(to: receivers[receiver].position).distance <= Self.reach }
        }
        guard outside.count >= Self.least else { return nil }
        var share = Array(repeating: Cells.zero, count: Cells.groups(grid.count))
        for index in grid.inside.map(Int.init) where grid.rooms[index] == Int16(clamping: room) {
            share[index / 8][index % 8] = 1
        }
        let first = share.firstIndex { $0.max() > 0 }
        guard let first, let last = share.lastIndex(where: { $0.max() > 0 }) else { return nil }
        groups = first..<(last + 1)
        self.share = share
        self.floor = floor
        self.room = room
        let (near, far) = (Self.strongest(inside, maps), Self.strongest(others, maps))
        expected = near.indices.map { near[$0] - far[$0] }
    }

    /// Returns the mean of the two strongest expected levels by cell.
    private static func strongest(_ receivers: [Int], _ maps: [RadioMap]) -> [Cells] {
        var (first, second) = (maps[receivers[0]].mean, maps[receivers[1]].mean)
        for group in first.indices {
            (first[group], second[group]) = (
                first[group].orGreater(second[group]), first[group].orLess(second[group])
            )
            for receiver in receivers.dropFirst(2) {
                let level = maps[receiver].mean[group]
                second[group] = second[group].orGreater(first[group].orLess(level))
                first[group] = first[group].orGreater(level)
            }
            first[group] = (first[group] + second[group]) / 2
        }
        return first
    }

    /// Where a distribution over the floor is: how much of it, and what difference is expected there.
    struct Moments {
        /// Probability of the room, and of the rest of the floor.
        var inside, outside: Float
        /// Expected difference if the subject is inside, and if it is outside, in dB.
        var expectedInside, expectedOutside: Float
    }

    /// Returns the moments of a distribution; `nil` if one of the sides has nothing of it.
    ///
    /// - Parameter values: probability by cell.
    func moments(_ values: [Float]) -> Moments? {
        var (inside, outside, expectedInside, expectedOutside) = (Cells.zero, Cells.zero, Cells.zero, Cells.zero)
        values.withUnsafeBytes { bytes in
            let values = bytes.bindMemory(to: UnalignedCells.self)
            for group in expected.indices {
                let value = values[group].cells
                let here = value * share[group]
                inside += here
                outside += value - here
                expectedInside += here * expected[group]
                expectedOutside += (value - here) * expected[group]
            }
        }
        let (mass, others) = (inside.sum(), outside.sum())
        guard mass > 0, others > 0 else { return nil }
        return Moments(
            inside: mass, outside: others, expectedInside: expectedInside.sum() / mass,
            expectedOutside: expectedOutside.sum() / others)
    }

    /// Returns the probability of the room.
    ///
    /// - Parameter values: probability by cell.
    func mass(_ values: [Float]) -> Float {
        var mass = Cells.zero
        values.withUnsafeBytes { bytes in
            let values = bytes.bindMemory(to: UnalignedCells.self)
            for group in groups { mass += values[group].cells * share[group] }
        }
        return mass.sum()
    }
}
