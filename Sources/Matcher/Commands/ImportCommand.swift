import ArgumentParser
import BeaconModel
import CommandSupport
import Evidence
import InteractionStore
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports records from a file or a pipe: JSON lines as gateways publish them.",
        discussion: """
            A file can be imported again: records that are stored already change nothing, and are counted as such. Of two \
            records that contradict each other the first counts. Lines that are no records are named by number, and the \
            others are stored; the status is then 65. With [signing] in the configuration, a line that no gateway of the site signed \
            is no record.
            """)

    @Argument(help: "The file; - is standard input.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "Take this for the present time, by which records of before the retention are refused; a past day stands for its first second (default: now).",
            valueName: "time"), transform: MatcherOption.time)
    var asOf: DayOrTime?

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read([.store, .signing])
            let lines = try LineReader(path: file, longest: RecordReader.longestRecord)
            let store = try InteractionStore.open(
                configuration.store, retention: configuration.retention,
                readingRetention: configuration.readingRetention)
            // Without a configuration, no neighbouring places are given, and the known ones stay.
            if options.config != nil {
                try store.setNeighbours(configuration.neighbourDistances)
                try store.setFixedBeacons(
                    configuration.fixedBeacons, now: WallClock.now().microseconds / 1_000_000, areAll: false)
            }
            let clock = WallClock.now().microseconds / 1_000_000
            var importer = RecordImporter(
                store: store, now: asOf?.present(clock: clock, in: configuration.days) ?? clock,
                clockIsSynchronized: asOf != nil || WallClock.isSynchronized, verifier: configuration.signing?.cached
            )
            while let line = try lines.next() {
                try importer.take(line, number: lines.number)
                if lines.number % 10_000 == 0 { Terminal.progress("\(lines.number) lines") }
            }
            try importer.flush()
            Terminal.progress("comparing minutes")
            let settling = try importer.settle()
            Terminal.progress(nil)
            for note in importer.notes { Terminal.note(note) }
            if let summary = importer.defectSummary { Terminal.note(summary) }
            try Terminal.print(importer.summary)
            if settling.badgeMinutes > 0 {
                try Terminal.print(
                    "\(settling.badgeMinutes) minutes of subjects in \(settling.blocks) "
                        + "\(settling.blocks == 1 ? "quarter" : "quarters") of an hour are compared")
            }
            if settling.leftOut > 0 {
                Terminal.note(
                    "\(settling.leftOut) of them aren't, because too many subjects were on one floor: distances count there too"
                )
            }
            for receiver in settling.disbelieved.sorted() {
                Terminal.note(
                    "\(receiver) isn't believed at times: it claims to have heard many whom nobody else on its floor heard"
                )
            }
            for rejection in importer.firstRejected {
                Terminal.note("record \(rejection.position.sequence) of \(rejection.gateway): \(rejection.because)")
            }
            if importer.defects > 0 { throw DamagedLines(file: file, count: importer.defects) }
        }
    }
}

private struct DamagedLines: OperatorError {
    var file: String
    var count: Int

    var what: String { "\(count) \(count == 1 ? "line of \(file) is no record" : "lines of \(file) are no records")" }
    var meaning: String? { "all others are stored" }
    var remedy: String? { "correct those lines and import the file again" }
    var exitStatus: ExitStatus { .data }
}
