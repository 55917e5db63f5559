import BeaconModel
import OperatorText

/// One meeting of a course.
package struct Lecture: Hashable, Sendable {
    /// UID of the calendar event, with the repetition; it stays the same when time or room change.
    package var id: String
    /// Name of the course, matched with that in the roster.
    package var course: String
    package var title: String
    /// Room as written in the timetable; `nil` when it names none.
    package var room: String?
    /// Start and end, in seconds since 1970; `end` is the first second after the lecture.
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

    /// Length in seconds.
    package var length: Int64 { end - start }

    /// Returns whether students can check in to the lecture at a time, in seconds since 1970.
    package func takesCheckIn(at time: Int64, rules: AttendanceRules) -> Bool {
        start - rules.lookAhead <= time && time < end
    }

    /// UID of the calendar event.
    package var uid: String {
        // The id of a repetition ends with a time as in `/2026-10-20T10:00:00Z`.
        let end = Array(id.utf8.suffix(21))
        guard end.count == 21, end[0] == UInt8(ascii: "/"), end[11] == UInt8(ascii: "T"), end[20] == UInt8(ascii: "Z")
        else { return id }
        return String(decoding: id.utf8.dropLast(21), as: UTF8.self)
    }

    /// Returns the id of a lecture.
    ///
    /// - Parameters:
    ///   - uid: UID of the calendar event.
    ///   - recurrence: start of this repetition according to the rule, in seconds since 1970; `nil` for an event
    ///     without repetitions.
    package static func id(uid: String, recurrence: Int64?) -> String {
        recurrence.map { "\(uid)/\(InstantText.utc($0))" } ?? uid
    }
}

/// Comparison key for names of courses, rooms and students: upper and lower case and the number of spaces make no
/// difference.
package enum NameKey {
    package static func of(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }
}
