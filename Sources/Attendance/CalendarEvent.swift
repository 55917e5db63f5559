/// Calendar event with its times, before changed repetitions replace the original ones.
package struct CalendarEvent: Sendable {
    package var line: Int?
    package var uid: String
    /// Sequence number; a later version has a higher one.
    package var sequence: Int
    package var course: String
    package var title: String
    package var room: String?
    package var isCancelled: Bool
    /// Starts in seconds since 1970.
    package var starts: [Int64]
    /// Length in seconds.
    package var length: Int64
    package var repeats: Bool
    /// Original start of the repetition that this event changes, according to the rule; `nil` for other events.
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
