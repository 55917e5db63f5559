import ArgumentParser
import CommandSupport
import MatcherDaemon

struct SettleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Records who attended past lectures, before the interactions are deleted.",
        discussion: """
            The daemon does this every hour. The command can be repeated: records that gateways have delivered since \
            are included, as long as all interactions of the lecture are kept. If data of a student was erased since, \
            the recorded verdict is replaced only by a better one for the student.
            """)

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open()
            let lectures = opened.search.lecturesToSettle(now: opened.now)
            let count = try opened.search.settle(lectures, in: opened.store())
            try Terminal.print("\(count) verdicts of \(lectures.count) lectures were recorded")
        }
    }
}
