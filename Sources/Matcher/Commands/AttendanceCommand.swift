import ArgumentParser

struct AttendanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attendance", abstract: "Shows who attended which lecture, by timetable, roster and rooms.",
        discussion: """
            Lectures are the events of the timetable that have a room; students of the lecture's course are there while \
            something that they carry is heard in the room. Whoever can't have been heard is unknown and never absent.
            """,
        subcommands: [
            AttendanceReportCommand.self, LecturesCommand.self, CorrectCommand.self, CorrectionsCommand.self,
            SettleCommand.self, AttendanceCheckCommand.self,
        ], defaultSubcommand: AttendanceReportCommand.self)
}
