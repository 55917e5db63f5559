/// An event of a calendar with the times at which it happens, before repetitions that were changed are put in their
/// places.
package struct CalendarEvent: Sendable {
    package var line: Int?
    package var uid: String
    /// The later version has the higher.
    package var sequence: Int
    package var course: String
    package var title: String
    package var room: String?
    package var isCancelled: Bool
    /// Seconds since 1970.
    package var starts: [Int64]
    /// Seconds.
    package var length: Int64
    package var repeats: Bool
    /// Of which repetition this is the changed form: when that would begin by the rule.
    package var recurrence: Int64?

    package init(
        line: Int? = nil, uid: String, sequence: Int, course: String, title: String, room: String? = nil,
        isCancelled: Bool, starts: [Int64], length: Int64, repeats: Bool, recurrence: Int64? = nil
    ) {
        self.line = line
        self.uid = uid
        self.sequence = sequence
        self.course = course
        self.title = title
        self.room = room
        self.isCancelled = isCancelled
        self.starts = starts
        self.length = length
        self.repeats = repeats
        self.recurrence = recurrence
    }
}
