import BeaconModel
import OperatorText

/// One meeting of a course.
public struct Lecture: Hashable, Sendable {
    /// What the calendar calls the event, and which of its repetitions this is: it stays when time or room change.
    public var id: String
    /// As the roster names it.
    public var course: String
    public var title: String
    /// As the timetable writes it; `nil` when it doesn't say.
    public var room: String?
    /// Seconds since 1970; `end` is the first second after it.
    public var start: Int64
    public var end: Int64

    public init(id: String, course: String, title: String, room: String?, start: Int64, end: Int64) {
        self.id = id
        self.course = course
        self.title = title
        self.room = room
        self.start = start
        self.end = end
    }

    /// Seconds.
    public var length: Int64 { end - start }

    public func isRunning(at now: Int64) -> Bool { start <= now && now < end }

    /// - Parameters:
    ///   - uid: of the calendar's event.
    ///   - recurrence: when this repetition would begin by the rule, in seconds since 1970; `nil` for an event without
    ///     repetitions.
    static func id(uid: String, recurrence: Int64?) -> String {
        recurrence.map { "\(uid)/\(InstantText.utc($0))" } ?? uid
    }
}

/// Names of courses, rooms and students as people write them: upper and lower case and the number of spaces are no
/// difference.
public enum NameKey {
    public static func of(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }
}
