import ArgumentParser
import Attendance
import CommandSupport
import MatcherCore
import MatcherDaemon
import OperatorText
import RecordContract

struct LecturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lectures", abstract: "Lists the lectures of the timetable, and which of its rooms are known.")

    @Option(
        help: ArgumentHelp("Lectures since this time or day (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var from: DayOrTime?

    @Option(
        help: ArgumentHelp(
            "Lectures until this time, or to the end of this day (default: a week after the beginning).",
            valueName: "time"),
        transform: MatcherOption.time)
    var to: DayOrTime?

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open(needsStore: false)
            let days = opened.configuration.days
            let week: Int64 = 7 * 86_400
            // Begins now, even if only the end is given.
            let span = try AskedSpan(
                from: from ?? .time(opened.now), to: to, back: 0, ahead: week, reach: .future, days: days,
                now: opened.now)
            let lectures = opened.files.timetable.lectures(from: span.since, to: span.until)
            if json {
                for lecture in lectures { try Terminal.print(JSON.encode(LectureDocument(lecture))) }
                return
            }
            let text = AttendanceText(
                settings: opened.settings, isColoured: Terminal.isColoured, width: Terminal.tableWidth)
            for line in text.lectures(lectures, rooms: opened.rooms, roster: opened.files.roster) {
                try Terminal.print(line)
            }
            Terminal.note("\(lectures.count) \(lectures.count == 1 ? "lecture" : "lectures")")
        }
    }
}
