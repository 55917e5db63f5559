import FloorPlans

/// Probabilities by square of the rooms in which a subject was, with the names of the rooms.
package struct SettledSquares: Equatable, Sendable {
    /// Rooms that occur, each once.
    private var rooms: [Room] = []
    private var squares: [Square] = []

    /// A room by its name.
    private struct Room: Hashable {
        /// Path of the floor.
        var floor: String
        /// Empty for the floor between rooms.
        var name: String
        /// Area in m²; 0 for the floor between rooms.
        var area: UInt16
    }

    /// A square of a room.
    private struct Square: Equatable {
        /// Index in `rooms`.
        var room: Int
        /// Middle in decimetres.
        var x: Int16
        var y: Int16
        /// Probability in units of 1/255.
        var probability: UInt8
    }

    package init() {}

    init(_ squares: [LocatedStay.Square], _ model: BuildingModel) {
        for square in squares {
            let probability = UInt8((min(1, max(0, square.probability)) * 255).rounded())
            guard probability > 0 else { continue }
            let plan = model.plans[square.floor]
            let room = Room(
                floor: plan.path, name: square.room.map { plan.rooms[$0].name } ?? "",
                area: square.room.map { UInt16(clamping: Int(plan.rooms[$0].polygon.area.rounded())) } ?? 0)
            let index = rooms.firstIndex(of: room) ?? rooms.endIndex
            if index == rooms.endIndex { rooms.append(room) }
            self.squares.append(
                Square(
                    room: index, x: Int16(clamping: Int((square.x * 10).rounded())),
                    y: Int16(clamping: Int((square.y * 10).rounded())), probability: probability))
        }
    }

    /// How near two subjects were, by where they may have been.
    package struct Nearness: Equatable, Sendable {
        /// Probability that they were in one room that is small, or between rooms, and near each other.
        package var near = 0.0
        /// Probability that they were in one hall, wherever in it.
        package var inOneHall = 0.0
        /// Probability that they were in one hall and near each other.
        package var nearInHall = 0.0

        package init(near: Double = 0, inOneHall: Double = 0, nearInHall: Double = 0) {
            self.near = near
            self.inOneHall = inOneHall
            self.nearInHall = nearInHall
        }
    }

    /// Share of the area of a circle of the distance from which a room is a hall.
    ///
    /// In a smaller room, most who are there are near each other, so that the room tells more than anything else. In a
    /// hall it is seldom known who was where.
    private static let hall = 1.0

    /// Returns how near two subjects were.
    ///
    /// Within a square everybody is anywhere, so that the distance of two squares' middles is blurred by half of a
    /// side.
    ///
    /// - Parameter distance: distance within which they are near, in metres.
    func nearness(to other: SettledSquares, within distance: Double) -> Nearness {
        let same = other.rooms.map { room in
            rooms.firstIndex { $0.floor == room.floor && $0.name == room.name }
        }
        let circle = Double.pi * distance * distance
        let isHall = rooms.map { Double($0.area) > Self.hall * circle }
        var nearness = Nearness()
        for two in other.squares {
            guard let room = same[two.room] else { continue }
            for one in squares where one.room == room {
                let both = Double(one.probability) * Double(two.probability) / (255 * 255)
                let (dx, dy) = (Double(one.x) - Double(two.x), Double(one.y) - Double(two.y))
                let apart = (dx * dx + dy * dy).squareRoot() / 10
                let share = min(1, max(0, (distance - apart) / LocatedStay.side + 0.5))
                if isHall[room] {
                    nearness.inOneHall += both
                    nearness.nearInHall += both * share
                } else {
                    nearness.near += both * share
                }
            }
        }
        return nearness
    }

    // MARK: Stored form

    /// The rooms with their areas and names, then six bytes for each square.
    package var packed: [UInt8] {
        var bytes = [UInt8(clamping: rooms.count)]
        for room in rooms.prefix(255) {
            bytes += [UInt8(room.area & 0xFF), UInt8(room.area >> 8)]
            for name in [room.floor, room.name] {
                let utf8 = Array(name.utf8.prefix(Int(UInt16.max)))
                bytes += [UInt8(utf8.count & 0xFF), UInt8(utf8.count >> 8)] + utf8
            }
        }
        for square in squares where square.room < 255 {
            let (x, y) = (UInt16(bitPattern: square.x), UInt16(bitPattern: square.y))
            bytes += [
                UInt8(square.room), UInt8(x & 0xFF), UInt8(x >> 8), UInt8(y & 0xFF), UInt8(y >> 8),
                square.probability,
            ]
        }
        return bytes
    }

    /// Parses the stored form; `nil` for malformed bytes.
    package init?(packed bytes: [UInt8]) {
        guard let count = bytes.first else { return nil }
        var index = 1
        func name() -> String? {
            guard index + 2 <= bytes.count else { return nil }
            let length = Int(bytes[index]) | Int(bytes[index + 1]) << 8
            index += 2
            guard index + length <= bytes.count else { return nil }
            defer { index += length }
            return String(decoding: bytes[index..<index + length], as: UTF8.self)
        }
        for _ in 0..<count {
            guard index + 2 <= bytes.count else { return nil }
            let area = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
            index += 2
            guard let floor = name(), let room = name() else { return nil }
            rooms.append(Room(floor: floor, name: room, area: area))
        }
        guard (bytes.count - index).isMultiple(of: 6) else { return nil }
        while index < bytes.count {
            guard bytes[index] < rooms.count else { return nil }
            squares.append(
                Square(
                    room: Int(bytes[index]),
                    x: Int16(bitPattern: UInt16(bytes[index + 1]) | UInt16(bytes[index + 2]) << 8),
                    y: Int16(bitPattern: UInt16(bytes[index + 3]) | UInt16(bytes[index + 4]) << 8),
                    probability: bytes[index + 5]))
            index += 6
        }
    }
}
