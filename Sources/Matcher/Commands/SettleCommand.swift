import ArgumentParser
import CommandSupport
import MatcherDaemon

struct SettleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Records who attended past lectures, before the interactions are deleted.",
        discussion: """
            The daemon does so every hour. It may be repeated: what gateways delivered since counts, as long as all \
            interactions of the lecture are kept; of a student of whom something was erased since, only what is better \
            for them than what was written.
            """)

    @OptionGroup var options: AttendanceOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open()
            let lectures = opened.search.lecturesToSettle(now: opened.now)
            let count = try opened.search.settle(lectures, in: opened.store())
            try Terminal.print("\(count) verdicts of \(lectures.count) lectures are written down")
        }
    }
}
