import ArgumentParser
import Attendance
import BeaconModel
import CommandSupport
import MatcherDaemon

struct AttendanceCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks timetable and roster, and whether they fit together.")

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open(needsStore: false)
            if let failure = opened.withoutStore {
                Terminal.note(
                    "note: uploaded files, and whether the roster names gateways' own beacons, were not checked: "
                        + failure.inOneLine
                )
            }
            for note in opened.files.notes(rooms: opened.rooms) { Terminal.note("note: \(note)") }
            try opened.requireStudents()
            let (timetable, roster) = (opened.files.timetable, opened.files.roster)
            let counts = [
                (timetable.lectures.count, "lecture"), (roster.courseNames.count, "course"),
                (roster.studentCount, "student"),
            ].map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
            Terminal.note("timetable and roster are valid: " + counts.joined(separator: ", "))
        }
    }
}
