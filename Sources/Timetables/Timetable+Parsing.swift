package import Attendance

extension Timetable {
    /// Parses an iCalendar file (RFC 5545). Events without a time of day or a length, and cancelled ones, are not
    /// lectures.
    ///
    /// - Parameters:
    ///   - bytes: at most 1 MiB.
    ///   - file: the file that problems refer to.
    ///   - zone: the zone of times without one.
    ///   - course: the property with the course's name.
    ///   - span: seconds since 1970; lectures outside it are left out, because repetitions can be endless.
    /// - Throws: `AttendanceFileError` with all problems.
    package static func parse(
        _ bytes: [UInt8], file: String, zone: CalendarZone? = nil, course: CourseSource = .summary,
        span: ClosedRange<Int64>
    ) throws(AttendanceFileError) -> Timetable {
        let outline = CalendarOutline(bytes)
        if let problem = outline.problem { throw AttendanceFileError(path: file, problems: [problem]) }
        let read = CalendarLibrary.use {
            var reader = CalendarReader(file: file, lines: outline.eventLines, zone: zone, course: course, span: span)
            reader.read(outline.text)
            return (reader.events, reader.notes, reader.problems)
        }
        var assembly = EventAssembly(file: file, span: span)
        assembly.add(read.0)
        let problems = read.2 + assembly.problems
        guard problems.isEmpty else { throw AttendanceFileError(path: file, problems: problems) }
        return Timetable(
            lectures: assembly.lectures, notes: read.1 + assembly.notes.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
    }
}
