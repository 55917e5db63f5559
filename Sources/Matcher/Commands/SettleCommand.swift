import ArgumentParser
import CommandSupport

struct SettleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Writes down who attended the lectures that are over, before interactions are deleted.",
        discussion: """
            The daemon does so every hour, and keeps what it wrote of a student of whom less is known since, because \
            records were erased. This command may be repeated, and takes timetable, rooms and records as they are now, as \
            long as all interactions of the lecture are kept.
            """)

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open()
            let lectures = opened.search.lecturesToSettle(now: opened.now)
            let count = try opened.search.settle(lectures, replacing: true, in: opened.store())
            try Terminal.print("\(count) verdicts of \(lectures.count) lectures are written down")
        }
    }
}
