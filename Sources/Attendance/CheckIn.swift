/// Somebody signed for a lecture.
package struct CheckIn: Hashable, Sendable {
    /// `Lecture.id`.
    package var lecture: String
    /// As the roster names them, not what they carry.
    package var student: String
    /// Seconds since 1970.
    package var at: Int64
    package var room: String

    package init(lecture: String, student: String, at: Int64, room: String) {
        self.lecture = lecture
        self.student = student
        self.at = at
        self.room = room
    }
}
