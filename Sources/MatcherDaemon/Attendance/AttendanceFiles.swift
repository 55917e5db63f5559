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
    /// Uploads, the oldest first.
    package var uploads: [AttendanceUpload] = []

    private static let day: Int64 = 86_400

    /// Returns the span of lectures that are read: 400 days back and 200 days ahead. Repetitions may have no end.
    package static func span(_ now: Int64) -> ClosedRange<Int64> { now - 400 * day...now + 200 * day }

    /// Reads timetable and roster.
    ///
    /// - Parameters:
    ///   - uploads: uploaded files as the store has them, the oldest first.
    ///   - fixedBeacons: beacons that hang at a place: no student has one.
    ///   - now: seconds since 1970.
    /// - Throws: `AttendanceFileError` with all problems in all files.
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
        now: Int64, readFile: (String) throws -> [UInt8]
    ) throws(AttendanceFileError) -> AttendanceFiles {
        var files = AttendanceFiles(timetable: Timetable(), roster: Roster())
        var problems: [ConfigurationProblem] = []
        for path in settings.timetableFiles {
            let other = collect(path, &problems, readFile) { bytes throws(AttendanceFileError) in
                try Timetable.parse(
                    bytes, file: path, zone: settings.zone, course: settings.course, span: span(now))
            }
            if let other { files.timetable.merge(other) }
        }
        if let path = settings.rosterFile {
            let roster = collect(path, &problems, readFile) { bytes throws(AttendanceFileError) in
                try RosterFile.parse(bytes, file: path, fixedBeacons: fixedBeacons)
            }
            if let roster { files.roster = roster }
        }
        files.add(uploads, settings, fixedBeacons: fixedBeacons, now: now, &problems)
        guard problems.isEmpty else {
            throw AttendanceFileError(path: problems.first?.file ?? "", problems: problems)
        }
        return files
    }

    /// Adds uploaded files.
    private mutating func add(
        _ uploads: [UploadedFile], _ settings: AttendanceSettings, fixedBeacons: Set<SubjectIdentity>, now: Int64,
        _ problems: inout [ConfigurationProblem]
    ) {
        var rosters: [[RosterRow]] = []
        for upload in uploads {
            let (label, bytes) = (AttendanceUpload.label(of: upload), Array(upload.content.utf8))
            let read: (String) throws -> [UInt8] = { _ in bytes }
            if upload.kind == .timetable {
                let other = Self.collect(label, &problems, read) { bytes throws(AttendanceFileError) in
                    try Timetable.parse(
                        bytes, file: label, zone: settings.zone, course: settings.course, span: Self.span(now))
                }
                guard let other else { continue }
                let replaced = timetable.replaceEvents(by: other)
                self.uploads.append(AttendanceUpload(upload, lectures: other.lectures, replaced: replaced))
            } else if upload.kind == .roster {
                let rows = Self.collect(label, &problems, read) { bytes throws(AttendanceFileError) in
                    try RosterFile.rows(bytes, file: label, fixedBeacons: fixedBeacons)
                }
                guard let rows else { continue }
                self.uploads.append(
                    AttendanceUpload(upload, rows: rows, replaced: roster.hasCourse(upload.name) ? 1 : 0))
                rosters.append(rows)
            }
        }
        if !rosters.isEmpty { roster.replaceCourses(by: Roster(rosters)) }
    }

    private static func collect<Value>(
        _ path: String, _ problems: inout [ConfigurationProblem], _ readFile: (String) throws -> [UInt8],
        _ parse: ([UInt8]) throws(AttendanceFileError) -> Value
    ) -> Value? {
        do {
            return try parse(readFile(path))
        } catch let error as AttendanceFileError {
            problems += error.problems.map { problem in
                var problem = problem
                problem.file = path
                return problem
            }
        } catch {
            problems.append(
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
