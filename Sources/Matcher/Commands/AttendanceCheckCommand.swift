import ArgumentParser
import Attendance
import CommandSupport

struct AttendanceCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says what is wrong with timetable and roster, and what doesn't fit together.")

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open(needsStore: false)
            for note in opened.files.notes(rooms: opened.rooms) { Terminal.note("note: \(note)") }
            let (timetable, roster) = (opened.files.timetable, opened.files.roster)
            let counts = [
                (timetable.lectures.count, "lecture"), (roster.courseNames.count, "course"),
                (roster.studentCount, "student"),
            ].map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
            Terminal.note("timetable and roster are good: " + counts.joined(separator: ", "))
        }
    }
}
