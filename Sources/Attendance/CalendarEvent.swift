/// An event of a calendar with the times at which it happens, before repetitions that were changed are put in their
/// places.
struct CalendarEvent: Sendable {
    var line: Int?
    var uid: String
    /// The later version has the higher.
    var sequence: Int
    var course: String
    var title: String
    var room: String?
    var isCancelled: Bool
    /// Seconds since 1970.
    var starts: [Int64]
    /// Seconds.
    var length: Int64
    var repeats: Bool
    /// Of which repetition this is the changed form: when that would begin by the rule.
    var recurrence: Int64?
}
