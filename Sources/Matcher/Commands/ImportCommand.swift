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
            A file can be imported again: records that are already stored change nothing, and are counted separately. \
            Of two records that contradict each other, the first one counts. Invalid lines are reported by number and \
            the others are stored; the exit status is then 65. With [signing] in the configuration, a line that is not \
            signed by a gateway of the site is invalid.
            """)

    @Argument(help: "The file to import, or - for standard input.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "Import as of this time, which decides the records that are too old to be kept; a day stands for its "
                + "first second (default: now).",
            valueName: "time"), transform: MatcherOption.time)
    var asOf: DayOrTime?

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read([.store, .signing])
            let lines = try LineReader(path: file, longest: RecordReader.longestRecord)
            let store = try InteractionStore.open(
                configuration.store, retention: configuration.retention,
                readingRetention: configuration.readingRetention, report: { Terminal.note($0.text) })
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
            let located = try locateStays(configuration)
            Terminal.progress(nil)
            for note in importer.notes { Terminal.note(note) }
            if let summary = importer.defectSummary { Terminal.note(summary) }
            try Terminal.print(importer.summary)
            if settling.badgeMinutes > 0 {
                try Terminal.print(
                    "\(settling.badgeMinutes) subject minutes in \(settling.blocks) "
                        + "\(settling.blocks == 1 ? "quarter" : "quarters") of an hour were compared")
            }
            if located > 0 {
                try Terminal.print(
                    "stays were located in \(located) \(located == 1 ? "quarter" : "quarters") of an hour")
            }
            if settling.leftOut > 0 {
                Terminal.note(
                    "\(settling.leftOut) of them were not, because too many subjects were on one floor: distances "
                        + "count there too"
                )
            }
            for receiver in settling.disbelieved.sorted() {
                Terminal.note(
                    "\(receiver) is not trusted at times: it reports many subjects that no other receiver on its "
                        + "floor received"
                )
            }
            for rejection in importer.firstRejected {
                Terminal.note("record \(rejection.position.sequence) of \(rejection.gateway): \(rejection.because)")
            }
            if importer.defects > 0 { throw DamagedLines(file: file, count: importer.defects) }
        }
    }
}

extension ImportCommand {
    /// Locates the stays of settled readings, if the configuration has floor plans.
    ///
    /// - Returns: the number of quarters of an hour.
    private func locateStays(_ configuration: MatcherConfiguration) throws -> Int {
        let store = try configuration.openStore(creating: false)
        guard let settings = try configuration.withDrawnFloors(of: store).localisation, !settings.settled.isEmpty else {
            return 0
        }
        let clock = WallClock.now().microseconds / 1_000_000
        let now = asOf?.present(clock: clock, in: configuration.days) ?? clock
        let days = settings.stayRetention ?? configuration.readingRetention
        var locating = StayLocating(store: SharedStore(store))
        var count = 0
        while true {
            let step = try locating.step(settings, earliest: now - days * 86_400, now: now)
            if let failure = step.failures.first { throw failure.error }
            guard step.isWorking else { break }
            count += 1
            if count.isMultiple(of: 10) { Terminal.progress("locating stays, \(count) quarters of an hour") }
        }
        return count
    }
}

private struct DamagedLines: OperatorError {
    var file: String
    var count: Int

    var what: String {
        "\(count) \(count == 1 ? "line of \(file) is not a record" : "lines of \(file) are not records")"
    }
    var meaning: String? { "all other lines were stored" }
    var remedy: String? { "correct those lines and import the file again" }
    var exitStatus: ExitStatus { .data }
}
