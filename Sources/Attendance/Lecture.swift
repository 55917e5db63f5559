import BeaconModel
import OperatorText

/// One meeting of a course.
package struct Lecture: Hashable, Sendable {
    /// What the calendar calls the event, and which of its repetitions this is: it stays when time or room change.
    package var id: String
    /// As the roster names it.
    package var course: String
    package var title: String
    /// As the timetable writes it; `nil` when it doesn't say.
    package var room: String?
    /// Seconds since 1970; `end` is the first second after it.
    package var start: Int64
    package var end: Int64

    package init(id: String, course: String, title: String, room: String?, start: Int64, end: Int64) {
        self.id = id
        self.course = course
        self.title = title
        self.room = room
        self.start = start
        self.end = end
    }

    /// Seconds.
    package var length: Int64 { end - start }

    package func isRunning(at now: Int64) -> Bool { start <= now && now < end }

    /// - Parameters:
    ///   - uid: of the calendar's event.
    ///   - recurrence: when this repetition would begin by the rule, in seconds since 1970; `nil` for an event without
    ///     repetitions.
    package static func id(uid: String, recurrence: Int64?) -> String {
        recurrence.map { "\(uid)/\(InstantText.utc($0))" } ?? uid
    }
}

/// Names of courses, rooms and students as people write them: upper and lower case and the number of spaces are no
/// difference.
package enum NameKey {
    package static func of(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }
}
