package import Attendance
import BeaconModel
package import InteractionStore
package import MatcherCore
package import Matching
import OperatorText
import SystemIO
import Timetables

/// Current timetable and roster: the files of the configuration, which the exporting system replaces while the program
/// runs, and those that were uploaded on the page. An uploaded file decides about its courses and events.
package struct AttendanceFiles: Sendable {
    package var timetable: Timetable
    package var roster: Roster
    /// Roster of the configuration alone. Whose health and data a person sees or deletes never follows from an upload:
    /// a lecturer could upload anybody's badge under the own number.
    var configured = Roster()
    /// Uploads, the oldest first.
    package var uploads: [AttendanceUpload] = []

    /// Maximum number of lectures in all uploaded timetables together.
    static let mostLectures = 200_000
    /// Number of uploaded lectures at which reading stops. Repetitions without an end become more as time passes, and
    /// that must not make uploads unreadable that were accepted.
    package static let mostLecturesRead = 2 * mostLectures
    private static let day: Int64 = 86_400

    /// Returns the span of lectures that are read: 400 days back and 200 days ahead. Repetitions may have no end.
    package static func span(_ now: Int64) -> ClosedRange<Int64> { now - 400 * day...now + 200 * day }

    /// Returns the span for which an upload is checked. It ends 200 days later than what is read now, so that
    /// repetitions without an end can still be read half a year later.
    static func checkedSpan(_ now: Int64) -> ClosedRange<Int64> {
        span(now).lowerBound...span(now).upperBound + 200 * day
    }

    /// Whether only an upload gives a student a badge or phone.
    ///
    /// - Parameter own: badges and phones that the student is known to have.
    func hasUploadedSubject(of student: String, besides own: [SubjectIdentity] = []) -> Bool {
        let known = own + (configured.student(student)?.subjects ?? [])
        return roster.student(student)?.subjects.contains { !known.contains($0) } ?? false
    }

    /// Reads timetable and roster.
    ///
    /// - Parameters:
    ///   - uploads: uploaded files as the store has them, the oldest first.
    ///   - fixedBeacons: beacons that hang at a place: no student has one.
    ///   - now: seconds since 1970.
    /// - Throws: `AttendanceFileError` with the problems in all files.
    package static func load(
        _ settings: AttendanceSettings, uploads: [UploadedFile], fixedBeacons: Set<SubjectIdentity>, now: Int64
    ) throws(AttendanceFileError) -> AttendanceFiles {
        try read(settings, uploads: uploads, fixedBeacons: fixedBeacons, now: now) { path in
            // One byte more than each parser accepts, so that the parser itself reports a file that is too long.
            try FileContents.read(path, limit: RosterFile.longest + 1)
        }
    }

    package static func read(
        _ settings: AttendanceSettings, uploads: [UploadedFile] = [], fixedBeacons: Set<SubjectIdentity> = [],
        now: Int64, mostLectures: Int = Self.mostLecturesRead, readFile: (String) throws -> [UInt8]
    ) throws(AttendanceFileError) -> AttendanceFiles {
        var files = AttendanceFiles(timetable: Timetable(), roster: Roster())
        var findings = Findings()
        for path in settings.timetableFiles {
            let other = collect(path, &findings, readFile) { bytes throws(AttendanceFileError) in
                try Timetable.parse(
                    bytes, file: path, zone: settings.zone, course: settings.course, span: span(now))
            }
            if let other { files.timetable.merge(other) }
        }
        if let path = settings.rosterFile {
            let roster = collect(path, &findings, readFile) { bytes throws(AttendanceFileError) in
                try RosterFile.parse(bytes, file: path, fixedBeacons: fixedBeacons)
            }
            if let roster { files.roster = roster }
        }
        files.configured = files.roster
        files.add(uploads, settings, fixedBeacons: fixedBeacons, now: now, mostLectures: mostLectures, &findings)
        guard findings.problems.isEmpty else {
            throw AttendanceFileError(
                path: findings.problems.first?.file ?? "", problems: findings.problems, others: findings.others)
        }
        return files
    }

    /// Problems of all files.
    private struct Findings {
        var problems: [ConfigurationProblem] = []
        /// Number of problems that are not listed.
        var others = 0
    }

    /// Adds uploaded files.
    private mutating func add(
        _ uploads: [UploadedFile], _ settings: AttendanceSettings, fixedBeacons: Set<SubjectIdentity>, now: Int64,
        mostLectures: Int, _ findings: inout Findings
    ) {
        var rosters: [[RosterRow]] = []
        var timetables: [Timetable] = []
        // Places of the timetables in `uploads`.
        var places: [Int] = []
        var lectures = 0
        for upload in uploads {
            let (label, bytes) = (AttendanceUpload.label(of: upload), Array(upload.content.utf8))
            let read: (String) throws -> [UInt8] = { _ in bytes }
            if upload.kind == .timetable {
                let other = Self.collect(label, &findings, read) { bytes throws(AttendanceFileError) in
                    try Timetable.parse(
                        bytes, file: label, zone: settings.zone, course: settings.course, span: Self.span(now))
                }
                guard let other else { continue }
                lectures += other.lectures.count
                guard lectures <= mostLectures else {
                    findings.problems.append(
                        ConfigurationProblem(
                            location: "file", found: "makes it more than \(mostLectures) uploaded lectures",
                            allowed: "must be fewer: remove uploads", file: label))
                    return
                }
                timetables.append(other)
                places.append(self.uploads.count)
                self.uploads.append(
                    AttendanceUpload(
                        upload, lectures: other.lectures,
                        courses: other.lectures.isEmpty ? AttendanceUpload.courses(of: upload, settings) : nil))
            } else if upload.kind == .roster {
                let rows = Self.collect(label, &findings, read) { bytes throws(AttendanceFileError) in
                    try RosterFile.rows(bytes, file: label, fixedBeacons: fixedBeacons)
                }
                guard let rows else { continue }
                self.uploads.append(
                    AttendanceUpload(upload, rows: rows, replaced: roster.hasCourse(upload.name) ? 1 : 0))
                rosters.append(rows)
            }
        }
        // All at once: each change sorts all lectures.
        let replaced = timetables.isEmpty ? [] : timetable.replaceEvents(by: timetables)
        for (place, count) in zip(places, replaced) { self.uploads[place].replaced = count }
        if !rosters.isEmpty { roster.replaceCourses(by: Roster(rosters)) }
    }

    private static func collect<Value>(
        _ path: String, _ findings: inout Findings, _ readFile: (String) throws -> [UInt8],
        _ parse: ([UInt8]) throws(AttendanceFileError) -> Value
    ) -> Value? {
        do {
            return try parse(readFile(path))
        } catch let error as AttendanceFileError {
            findings.problems += error.problems.map { problem in
                var problem = problem
                problem.file = path
                return problem
            }
            findings.others += error.others
        } catch {
            findings.problems.append(
                ConfigurationProblem(
                    location: "file", found: error.inOneLine, allowed: "must be a file that this user can read",
                    file: path))
        }
        return nil
    }

    /// Returns notes about badges of the roster that a gateway claims as a place's beacon.
    ///
    /// - Parameter claimed: beacons that gateways claim for their places.
    package func notes(claimed: Set<SubjectIdentity>) -> [String] {
        roster.subjects.filter { claimed.contains($0) }.sorted().map { subject in
            "\(subject) of the roster is claimed by a gateway as mounted, and is ignored: `beacon-matcher places` "
                + "shows the claim; if a student carries it, run `beacon-matcher places deny \(subject.id)`"
        }
    }

    /// Returns inconsistencies that are not errors, one note for each.
    package func notes(rooms: RoomDirectory) -> [String] {
        var notes = timetable.notes.map(\.description)
        let byRoom = Dictionary(grouping: timetable.lectures) { $0.room ?? "" }
        for (room, lectures) in byRoom.sorted(by: { $0.key < $1.key }) where rooms.room(room) == nil {
            let count = lectures.count == 1 ? "1 lecture" : "\(lectures.count) lectures"
            notes.append(
                room.isEmpty
                    ? "the timetable names no room for \(count)"
                    : "the room \(room.excerpt) of \(count) is not in [[rooms]]")
        }
        let taught = Dictionary(grouping: timetable.lectures) { NameKey.of($0.course) }
        for (key, lectures) in taught.sorted(by: { $0.key < $1.key }) where !roster.hasCourse(key) {
            notes.append("the roster has no students for the course \((lectures.first?.course ?? key).excerpt)")
        }
        for course in roster.courseNames where taught[NameKey.of(course)] == nil {
            notes.append("the timetable has no lectures of the course \(course.excerpt)")
        }
        return notes
    }
}
