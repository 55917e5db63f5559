import ArgumentParser
import Attendance
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import People
import RecordContract

struct AttendanceReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows who was present, late, left early or absent, and why.")

    @Option(help: ArgumentHelp("Only this course.", valueName: "name"))
    var course: String?

    @Option(help: ArgumentHelp("Only this student, as named in the roster.", valueName: "student"))
    var student: String?

    @Option(
        help: ArgumentHelp(
            "Lectures since this time or day (default: as long as interactions are kept).",
            valueName: "time"), transform: MatcherOption.time)
    var from: DayOrTime?

    @Option(
        help: ArgumentHelp("Lectures until this time, or to the end of this day (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var to: DayOrTime?

    @Flag(help: "Only totals for each student and course.")
    var totals = false

    @Flag(help: "Print CSV, for a spreadsheet.")
    var csv = false

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: AttendanceOptions

    func validate() throws {
        if csv && json { throw ValidationError("specify --csv or --json, not both.") }
    }

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open()
            try opened.requireStudents()
            try checkNames(opened)
            let span = try AskedSpan(
                from: from ?? .time(opened.search.oldest), to: to ?? .time(opened.now), back: 0, reach: .future,
                days: opened.configuration.days, now: opened.now)
            let lectures = opened.files.timetable.lectures(from: span.since, to: span.until)
                .filter { course == nil || NameKey.of($0.course) == course.map(NameKey.of) }
            let store = try opened.store()
            try noteShown(in: store)
            let entries = try Self.named(
                opened.search.entries(of: lectures, student: student, in: store), in: store)
            let rooms = Set(lectures.compactMap(\.room)).filter { opened.rooms.room($0) == nil }
            for room in rooms.sorted() { Terminal.note("note: the room \(room.excerpt) is not in [[rooms]]") }
            let report = AttendanceReport(entries, now: opened.now)
            if json {
                try printJSON(report)
            } else if csv {
                try printCSV(report)
            } else {
                try printTables(report, opened)
            }
            if report.entries.isEmpty {
                Terminal.note("no lecture has ended in that time; `attendance lectures` lists the timetable")
            }
        }
    }

    /// Returns entries with names from the register of people for students without a name in the roster: by their
    /// numbers, else by their badges and phones.
    private static func named(
        _ entries: [AttendanceEntry], in store: InteractionStore
    ) throws -> [AttendanceEntry] {
        let nameless = Set(entries.map(\.student).filter { $0.name == nil })
        if nameless.isEmpty { return entries }
        let numbered = try store.people(numbers: Set(nameless.map(\.id)))
        let owners = try store.people(of: Set(nameless.flatMap(\.subjects)))
        return entries.map { entry in
            guard entry.student.name == nil else { return entry }
            var entry = entry
            let student = entry.student
            entry.student.name =
                numbered[student.id]?.name ?? student.subjects.lazy.compactMap { owners[$0]?.name }.first
            return entry
        }
    }

    /// Notes in the audit whose attendance is shown, as the page does.
    private func noteShown(in store: InteractionStore) throws {
        // A student alone is the object: an erasure finds the name there.
        let object = student ?? course ?? ""
        let whose = student == nil ? "all students" : "the student"
        let lectures = student != nil && course != nil ? "lectures of a course" : "all lectures"
        try store.noteCommand(
            csv ? .exported : .sawAttendance, object,
            detail: totals ? "percentages of \(whose)" : "\(lectures) of \(whose)")
    }

    private func checkNames(_ opened: AttendanceOptions.Opened) throws {
        let roster = opened.files.roster
        if let course, !roster.hasCourse(course) {
            throw UnknownName(
                what: "the roster has no course \(course.excerpt)",
                remedy: "the courses are " + roster.courseNames.prefix(20).map(\.excerpt).joined(separator: ", "))
        }
        if let student, roster.student(student) == nil {
            throw UnknownName(
                what: "the roster has no student \(student.excerpt)", remedy: "use the name in the roster")
        }
    }

    private func printJSON(_ report: AttendanceReport) throws {
        if totals {
            for total in report.students + report.courses { try Terminal.print(JSON.encode(TotalDocument(total))) }
        } else {
            for entry in report.entries { try Terminal.print(JSON.encode(AttendanceDocument(entry))) }
        }
    }

    private func printCSV(_ report: AttendanceReport) throws {
        if totals {
            try Terminal.print(CSVLine.text(AttendanceText.totalColumns))
            for total in report.students + report.courses { try Terminal.print(AttendanceText.csv(total)) }
        } else {
            try Terminal.print(CSVLine.text(AttendanceText.columns))
            for entry in report.entries { try Terminal.print(AttendanceText.csv(entry)) }
        }
    }

    private func printTables(_ report: AttendanceReport, _ opened: AttendanceOptions.Opened) throws {
        let text = AttendanceText(
            settings: opened.settings, isColoured: Terminal.isColoured, width: Terminal.tableWidth)
        let lines = totals ? [] : text.table(report.entries)
        for line in lines { try Terminal.print(line) }
        if !lines.isEmpty { try Terminal.print("") }
        let all = student == nil ? report.students + report.courses : report.students
        for line in text.totals(all) { try Terminal.print(line) }
        let doubtful = report.entries.count { !$0.verdict.clockIsSynchronized }
        if let note = ClockDoubt.note(of: doubtful, "verdict") { Terminal.note(note) }
    }
}
