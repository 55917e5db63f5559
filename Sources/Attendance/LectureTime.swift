/// Time of a lecture when something was recorded about it. The timetable can move the lecture afterwards, and the
/// lecture keeps its id.
package struct LectureTime: Hashable, Sendable {
    /// Start and end, in seconds since 1970; `end` is the first second after the lecture.
    package var start: Int64
    package var end: Int64

    package init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    package init(_ lecture: Lecture) { self.init(start: lecture.start, end: lecture.end) }

    /// Returns whether the present time of a lecture overlaps this one.
    package func overlaps(_ lecture: Lecture) -> Bool { start < lecture.end && lecture.start < end }
}
