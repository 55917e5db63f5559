import ArgumentParser
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import RecordContract

struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports", abstract: "Lists the reports of positive subjects, with the stated symptoms.",
        discussion: """
            Includes unconfirmed reports. A health officer who comes to trust one confirms it with the command \
            `report`, which also withdraws a report, by its id.
            """)

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            try store.noteCommand(.sawReport, "list of all reports")
            let stored = try store.reports(since: 0)
            for report in stored {
                for beacon in try report.fixedBeacons(in: store).sorted() {
                    Terminal.note(
                        "report \(report.reference) names \(beacon), a fixed beacon that nobody carries: no exposures "
                            + "follow"
                    )
                }
            }
            for report in stored where !report.waiting.isEmpty {
                Terminal.note(
                    "report \(report.reference): \(report.waiting.text) wait, because nobody committed to these codes "
                        + "in time; `report --confirm \(report.reference)` makes them count")
            }
            let names = try RegisteredNames(of: stored.flatMap { $0.subjects.map(\.identity) }, in: store)
            let reports = stored.map { ReportDocument($0, people: names.people) }
            if json {
                for report in reports { try Terminal.print(JSON.encode(report)) }
                return
            }
            var table = TextTable([
                ("REPORT", .left), ("RECEIVED (\(configuration.days.name))", .left), ("TYPE", .left), ("TEST", .left),
                ("ONSET", .left),
                ("SUBJECTS", .left), ("SYMPTOMS", .left),
            ])
            for (report, original) in zip(reports, stored) {
                let subjects = names.labels(of: Set(original.subjects.map(\.identity)).sorted())
                let more = subjects.count > 1 ? " and \(subjects.count - 1) more" : ""
                table.add([
                    report.report, configuration.days.text(original.received), report.type, report.testDate ?? "",
                    report.onset ?? "",
                    (subjects.first ?? "") + more, report.symptoms?.text ?? "",
                ])
            }
            if !reports.isEmpty { try Terminal.print(table) }
            Terminal.note("\(reports.count) \(reports.count == 1 ? "report" : "reports")")
        }
    }
}
