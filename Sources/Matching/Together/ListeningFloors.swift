/// Which receivers listened in a minute, and on which floors they are.
public struct ListeningFloors: Equatable, Sendable {
    private var floors: [Int64: Int64] = [:]
    private var counts: [Int64: Int] = [:]

    /// A receiver that listened for less is taken for deaf in that minute, in seconds. A module that takes turns with its own
    /// advertising listens for 5.
    public static let leastListened: Int64 = 3

    /// - Parameter floors: of the receivers that listened, by the receiver's number.
    public init(_ floors: [Int64: Int64]) {
        self.floors = floors
        for floor in floors.values { counts[floor, default: 0] += 1 }
    }

    /// The floor of a receiver; `nil` for one that was deaf.
    public func floor(of receiver: Int64) -> Int64? { floors[receiver] }

    /// How many receivers of a floor listened.
    public func listening(on floor: Int64) -> Int { counts[floor] ?? 0 }
}
