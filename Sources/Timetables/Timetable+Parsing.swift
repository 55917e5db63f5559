package import Attendance

extension Timetable {
    /// Reads an iCalendar file (RFC 5545). Events without a time of day or a length, and those that are cancelled, are
    /// no lectures.
    ///
    /// - Parameters:
    ///   - bytes: at most 1 MiB.
    ///   - file: what problems are reported of.
    ///   - zone: of times that come without one.
    ///   - course: where the course's name is.
    ///   - span: seconds since 1970; lectures outside it are left out, because repetitions may have no end.
    /// - Throws: `AttendanceFileError` with everything that is wrong.
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
