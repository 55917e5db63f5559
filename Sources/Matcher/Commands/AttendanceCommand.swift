import ArgumentParser

struct AttendanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attendance", abstract: "Shows who attended which lecture, by timetable, roster and rooms.",
        discussion: """
            Lectures are the timetable's events that have a room. A student attends a lecture while a badge or phone \
            of the student is received in the room. If there was no working receiver, the student's attendance is \
            unknown, never absent.
            """,
        subcommands: [
            AttendanceReportCommand.self, LecturesCommand.self, CorrectCommand.self, CorrectionsCommand.self,
            SettleCommand.self, AttendanceCheckCommand.self,
        ], defaultSubcommand: AttendanceReportCommand.self)
}
