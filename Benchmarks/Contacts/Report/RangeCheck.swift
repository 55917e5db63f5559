import Glibc
import Matching

/// Whether two people were really as far apart as the matcher's explanations say, second by second.
struct RangeCheck: Sendable {
    private(set) var seconds = 0
    private(set) var inside = 0
    /// In which both were in the same room.
    private(set) var inOneRoom = 0

    /// `nil` of nothing.
    var share: Double? { seconds > 0 ? Double(inside) / Double(seconds) : nil }
    var shareInOneRoom: Double? { seconds > 0 ? Double(inOneRoom) / Double(seconds) : nil }

    /// Seconds between two looks.
    private static let step = 10

    /// - Parameter opening: when the walks begin, in seconds since 1970.
    mutating func add(_ answers: MatcherAnswers, _ walks: Walks, _ building: Building, opening: Int64) {
        for (positive, exposed, answer) in answers.all {
            for window in answer.windows {
                guard let range = window.distances?.range else { continue }
                // Of a window of no length there is no moment at which both were there.
                for time in stride(from: window.start, to: window.end, by: Self.step) {
                    let second = Int(time - opening)
                    let (one, other) = (walks[positive, second], walks[exposed, second])
                    guard one.isInside, other.isInside else { continue }
                    let centimetres = Self.metres(one, other, building) * 100
                    seconds += 1
                    if one.room == other.room { inOneRoom += 1 }
                    if centimetres >= Double(range.lowerBound), centimetres <= Double(range.upperBound) {
                        inside += 1
                    }
                }
            }
        }
    }

    private static func metres(_ one: Walks.Position, _ other: Walks.Position, _ building: Building) -> Double {
        let floors = building.rooms[Int(one.room)].floor - building.rooms[Int(other.room)].floor
        return hypot(
            hypot(Double(one.x - other.x), Double(one.y - other.y)), Double(floors) * building.plan.floorHeight)
    }
}
