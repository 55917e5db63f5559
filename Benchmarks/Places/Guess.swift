import FloorPlans
import Localisation

/// What a method says of a subject in one window.
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
    /// What a person is shown; `nil` if the method holds nothing.
    var shown: ShownRoom.Place?
}
