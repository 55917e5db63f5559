import FloorPlans

/// What a method says of a subject at one time.
struct Guess {
    /// End of the window in seconds.
    var time: Double
    var floor: Int
    var position: PlanPoint?
    /// Radius of the 90 % region in metres; `nil` if the method has none.
    var radius: Double?
    /// Index of the room; `nil` for the floor between rooms.
    var room: Int?
    /// Probability of the room; `nil` if the method has none.
    var probability: Double?
    /// Room that is shown, which is held; `nil` if the method has none.
    var shown: Shown?

    /// What a person is shown.
    enum Shown: Equatable {
        case room(floor: Int, room: Int?)
        case unsure
    }
}
