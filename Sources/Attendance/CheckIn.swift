/// Check-in of a student for a lecture.
package struct CheckIn: Hashable, Sendable {
    /// Lecture, by its `Lecture.id`.
    package var lecture: String
    /// Student id in the roster, not that of a device.
    package var student: String
    /// Time in seconds since 1970.
    package var at: Int64
    package var room: String

    package init(lecture: String, student: String, at: Int64, room: String) {
        self.lecture = lecture
        self.student = student
        self.at = at
        self.room = room
    }
}
