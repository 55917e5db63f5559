import ArgumentParser
import Attendance
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText

struct CorrectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract: "Corrects a student's attendance. The change is recorded with its author and reason.",
        discussion: "No correction is deleted: `attendance corrections` shows all of them, and the last one counts.")

    @Option(help: ArgumentHelp("The lecture's id, as shown by `attendance lectures`.", valueName: "id"))
    var lecture: String

    @Option(help: ArgumentHelp("The student, as named in the roster.", valueName: "student"))
    var student: String

    @Option(
        help: ArgumentHelp("One of \(AttendanceStatus.form).", valueName: "status"), transform: Self.readStatus)
    var status: AttendanceStatus

    @Option(help: ArgumentHelp("Why.", valueName: "text"), transform: { try Self.text($0, Correction.longestReason) })
    var reason: String

    @Option(
        help: ArgumentHelp("The author of the correction.", valueName: "name"),
        transform: { try Self.text($0, Correction.longestName) })
    var by: String

    @OptionGroup var options: AttendanceOptions

    private static func readStatus(_ text: String) throws -> AttendanceStatus {
        guard let status = AttendanceStatus(rawValue: text), AttendanceStatus.corrections.contains(status) else {
            throw ValidationError("must be one of \(AttendanceStatus.form)")
        }
        return status
    }

    private static func text(_ text: String, _ longest: Int) throws -> String {
        guard text.shown(upTo: longest) == text, text.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("must be 1 to \(longest) characters on one line")
        }
        return text
    }

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open()
            guard let lecture = opened.files.timetable.lecture(lecture) else {
                throw UnknownName(
                    what: "the timetable has no lecture \(lecture.excerpt)",
                    remedy: "`attendance lectures --from 2026-11-02` shows their ids")
            }
            guard opened.files.roster.attends(student, course: lecture.course) else {
                throw UnknownName(
                    what: "the roster has no student \(student.excerpt) in the course \(lecture.course.excerpt)",
                    remedy: "use the names of course and student in the roster")
            }
            let store = try opened.store()
            let before = try opened.search.entries(of: [lecture], student: student, in: store).first?.status
            let correction = Correction(
                lecture: lecture.id, student: student, time: LectureTime(lecture), at: opened.now, by: by,
                reason: reason, from: before ?? .unknown, to: status)
            try store.correct(
                correction,
                audit: CommandAudit.entry(.correctedAttendance, lecture.id, detail: "\(student): \(status.rawValue)"))
            try Terminal.print("\(lecture.id): \(student) was \(correction.from.rawValue), is \(status.rawValue) now")
        }
    }
}
