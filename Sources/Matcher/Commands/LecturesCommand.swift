import ArgumentParser
import Attendance
import CommandSupport
import MQTTBridge

struct LecturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lectures", abstract: "What the timetable says, and which rooms of it are known.")

    @Option(
        help: ArgumentHelp("Since then; now if it isn't given.", valueName: "time"), transform: MatcherOption.time)
    var from: Int64?

    @Option(
        help: ArgumentHelp("Until then; a week after the beginning if it isn't given.", valueName: "time"),
        transform: MatcherOption.time)
    var to: Int64?

    @Flag(help: "One JSON document a line.")
    var json = false

    @OptionGroup var options: AttendanceOptions

    func validate() throws {
        if let from, let to, from > to { throw ValidationError("--from must not be after --to.") }
    }

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open(needsStore: false)
            let start = from ?? opened.now
            let lectures = opened.files.timetable.lectures(from: start, to: to ?? start + 7 * 86_400)
            if json {
                for lecture in lectures { try Terminal.print(JSON.encode(LectureDocument(lecture))) }
                return
            }
            let text = AttendanceText(settings: opened.settings, isColoured: Terminal.isColoured)
            for line in text.lectures(lectures, rooms: opened.rooms, roster: opened.files.roster) {
                try Terminal.print(line)
            }
            Terminal.note("\(lectures.count) \(lectures.count == 1 ? "lecture" : "lectures")")
        }
    }
}
