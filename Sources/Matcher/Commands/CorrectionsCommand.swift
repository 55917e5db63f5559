import ArgumentParser
import Attendance
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import RecordContract

struct CorrectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "corrections", abstract: "Lists all corrections: when, by whom, and why.")

    @Option(help: ArgumentHelp("Only this lecture.", valueName: "id"))
    var lecture: String?

    @Option(help: ArgumentHelp("Only this student.", valueName: "student"))
    var student: String?

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            // Works even if timetable or roster are damaged.
            let (configuration, settings) = try options.read()
            let store = try InteractionStore.open(
                configuration.store, retention: configuration.retention, creating: false,
                report: { Terminal.note($0.text) })
            let object = student ?? lecture
            try store.noteCommand(
                .sawAttendance, object ?? "", detail: object == nil ? "corrections of all courses" : "corrections")
            let corrections = try (lecture.map { try store.corrections(lecture: $0) } ?? store.corrections()).filter {
                student == nil || $0.student == student
            }
            if json {
                for correction in corrections { try Terminal.print(JSON.encode(CorrectionDocument(correction))) }
                return
            }
            let text = AttendanceText(
                settings: settings, isColoured: Terminal.isColoured, width: Terminal.tableWidth)
            for line in text.corrections(corrections) { try Terminal.print(line) }
            Terminal.note("\(corrections.count) \(corrections.count == 1 ? "correction" : "corrections")")
        }
    }
}
