/// Somebody signed for a lecture.
public struct CheckIn: Hashable, Sendable {
    /// `Lecture.id`.
    public var lecture: String
    /// As the roster names them, not what they carry.
    public var student: String
    /// Seconds since 1970.
    public var at: Int64
    public var room: String

    public init(lecture: String, student: String, at: Int64, room: String) {
        self.lecture = lecture
        self.student = student
        self.at = at
        self.room = room
    }
}
