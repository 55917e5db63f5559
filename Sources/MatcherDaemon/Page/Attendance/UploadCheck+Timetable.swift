import Attendance
import InteractionStore
import MatcherCore
import OperatorText
import Pages
import Timetables

extension UploadCheck {
    /// Maximum length of a timetable's name, in Unicode scalars.
    static let longestName = 100

    /// Checks a timetable.
    static func timetable(_ file: MultipartForm.File, name typed: String, _ rules: Rules) -> UploadCheck {
        var check = UploadCheck("Timetable \(file.name)")
        let name = typed.isEmpty ? file.name : typed
        if name.unicodeScalars.count > longestName || name.shown(upTo: longestName) != name {
            check.report("name", "found \(name.excerpt)", "must be 1 to \(longestName) characters on one line")
        }
        // Repetitions without an end become more as time passes: what is accepted now can still be read later.
        let checked: Timetable
        do throws(AttendanceFileError) {
            checked = try Timetable.parse(
                file.bytes, file: file.name, zone: rules.settings.zone, course: rules.settings.course,
                span: AttendanceFiles.checkedSpan(rules.access.now))
        } catch {
            check.take(error)
            return check
        }
        let latest = AttendanceFiles.span(rules.access.now).upperBound
        let timetable = Timetable(lectures: checked.lectures.filter { $0.start <= latest }, notes: checked.notes)
        check.courses = Dictionary(checked.lectures.map { (NameKey.of($0.course), $0.course) }) { first, _ in first }
        guard let first = timetable.lectures.first, let last = timetable.lectures.last else {
            check.report(
                "file", "has no lectures of the last 400 and the next 200 days", "must have events with a time")
            return check
        }
        check.findForeign(checked, name: name, rules)
        check.findExcess(checked, name: name, rules)
        check.findLost(name: name, rules)
        check.describe(timetable, first: first, last: last, rules)
        check.uploads = [
            UploadedFile(
                .timetable, name: name, content: String(decoding: file.bytes, as: UTF8.self), by: rules.by,
                at: rules.access.now)
        ]
        return check
    }

    /// Finds lectures and events of courses that are not the account's.
    private mutating func findForeign(_ timetable: Timetable, name: String, _ rules: Rules) {
        let access = rules.access
        guard access.courses != nil else { return }
        let byCourse = Dictionary(grouping: timetable.lectures.filter { !access.sees($0.course) }, by: \.course)
        for (course, lectures) in byCourse.sorted(by: { $0.key < $1.key }) {
            report("course \(course.excerpt)", "has \(Self.count(lectures.count, "lecture"))", rules.ownForm)
        }
        // Such an event would take the place of another course's.
        let events = Set(timetable.lectures.map(\.uid))
        let taken = access.files.timetable.lectures.filter { events.contains($0.uid) && !access.sees($0.course) }
        for uid in Set(taken.map(\.uid)).sorted() {
            report("event \(uid.excerpt)", "has the UID of an event of another course", "must have a UID of its own")
        }
        let former = access.files.uploads.first { $0.kind == .timetable && $0.name == name }
        if let former, !former.isWithin(access.courses) {
            report("name", "\(name.excerpt) is an uploaded timetable with other courses", "must be another name")
        }
    }

    /// Finds that all uploads together would have too many lectures.
    private mutating func findExcess(_ timetable: Timetable, name: String, _ rules: Rules) {
        let others = rules.access.files.uploads.filter { $0.kind == .timetable && $0.name != name }
        let total = others.reduce(timetable.lectures.count) { $0 + $1.lectures }
        if total > rules.mostLectures {
            report(
                "file", "makes it \(total) lectures in all uploaded timetables",
                "must be at most \(rules.mostLectures): remove uploads that are no longer needed, or upload "
                    + "less of it")
        }
    }

    /// Finds courses that lose their timetable because the file comes in its place.
    private mutating func findLost(name: String, _ rules: Rules) {
        let former = rules.access.files.uploads.first { $0.kind == .timetable && $0.name == name }
        // What is in timetables of others is not told; they cannot be replaced either.
        guard let former, former.lectures > 0, former.isWithin(rules.access.courses) else { return }
        let lost = former.courses.filter { courses[NameKey.of($0)] == nil }
        if !lost.isEmpty { replacing = Replacing(name: name, by: former.by, courses: lost) }
    }

    private mutating func describe(_ timetable: Timetable, first: Lecture, last: Lecture, _ rules: Rules) {
        let (access, words) = (rules.access, rules.access.words)
        facts = [
            .init("Lectures", "\(timetable.lectures.count)"),
            .init("First", words.span(first.start, first.end)), .init("Last", words.span(last.start, last.end)),
            .init("Courses", Self.list(courses.values.sorted())),
        ]
        notes += timetable.notes.map { note in
            ((note.line.map { "line \($0): " } ?? "") + note.text).asSentence
        }
        let byRoom = Dictionary(grouping: timetable.lectures) { $0.room ?? "" }
        let rooms = byRoom.keys.filter { !$0.isEmpty }.sorted()
        lectures = [
            "\(Self.count(timetable.lectures.count, "lecture")), \(words.day(of: first.start)) to "
                + words.day(of: last.start),
            rooms.isEmpty ? "no rooms" : "rooms: \(Self.list(rooms, upTo: Self.mostAudited))",
        ]
        for (room, lectures) in byRoom.sorted(by: { $0.key < $1.key })
        where access.search.rooms.room(room) == nil && access.search.planRooms.room(room) == nil {
            let count = Self.count(lectures.count, "lecture")
            notes.append(
                room.isEmpty
                    ? "\(count) without a room: their attendance is not known."
                    : "The room \(room.excerpt) of \(count) is not known here, so the attendance is not known either. "
                        + "The person who runs this service adds it to [[rooms]], or to the floor plan.")
        }
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
