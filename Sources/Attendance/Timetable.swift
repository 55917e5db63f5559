/// Which lectures there are, by start.
package struct Timetable: Equatable, Sendable {
    package private(set) var lectures: [Lecture]
    /// What was left out of the files, and why.
    package private(set) var notes: [Note]

    /// Something that was left out and is no mistake.
    package struct Note: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// Of the event's beginning.
        package var line: Int?
        package var text: String

        package var description: String { file + ": " + (line.map { "line \($0): " } ?? "") + text }
    }

    package init(lectures: [Lecture] = [], notes: [Note] = []) {
        self.lectures = lectures.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
        self.notes = notes
    }

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

    /// Both; a lecture that was there before stays as it was.
    package mutating func merge(_ other: Timetable) {
        let known = Set(lectures.map(\.id))
        self = Timetable(
            lectures: lectures + other.lectures.filter { !known.contains($0.id) }, notes: notes + other.notes)
    }

    /// Those of which some part is between two times, in seconds since 1970.
    package func lectures(from start: Int64, to end: Int64) -> [Lecture] {
        lectures.filter { $0.start < end && start < $0.end }
    }

    package func lecture(_ id: String) -> Lecture? { lectures.first { $0.id == id } }
}
