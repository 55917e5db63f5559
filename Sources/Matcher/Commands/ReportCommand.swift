import ArgumentParser
import BeaconModel
import CommandSupport
import Crypto
import InteractionStore
import Matching
import SystemIO

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Stores that somebody is positive, and says who was exposed.",
        discussion: """
            For a health officer, who vouches for it by using this command. Apps report over HTTP, with a verification. A \
            daemon on the same store tells those who were exposed within seconds, and goes on matching records that come late.
            """)

    @Argument(
        help: "Who is positive, KIND:ID; several for the devices of one person: badge:UUID/MAJOR/MINOR, phone:ID.",
        transform: MatcherOption.subject)
    var subjects: [SubjectIdentity]

    @Option(
        help: ArgumentHelp("The day on which symptoms began.", valueName: "day"), transform: MatcherOption.day)
    var onset: Int64?

    @Option(help: ArgumentHelp("The day of the test.", valueName: "day"), transform: MatcherOption.day)
    var testDate: Int64?

    @Option(
        help: ArgumentHelp("Since when; what the policy looks back on if it isn't given.", valueName: "time"),
        transform: MatcherOption.time)
    var from: Int64?

    @Flag(help: "Nobody vouches for it: most policies then have nothing follow from it.")
    var selfReported = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let policy = configuration.policy
            let store = try configuration.openStore(creating: false)
            let now = WallClock.now().microseconds / 1_000_000
            let positive = PositiveCase(
                reportType: selfReported ? .selfReported : .confirmed, onset: onset, test: testDate)
            let window = positive.window(lookback: policy.risk.days, received: now)
            let since = from ?? window.since
            guard since <= window.until else { throw StartAfterCase(from: since, until: window.until) }
            try FixedBeaconReported.refuse(subjects, in: store, since: since)
            let known = try store.numbers(of: subjects)
            for subject in subjects where known[subject] == nil {
                Terminal.note("\(subject) was never heard by a gateway of this store")
            }
            let report = PositiveReport(
                reference: Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)), received: now,
                positive: positive,
                subjects: subjects.map { .init(identity: $0, since: since, until: window.until) },
                entries: selfReported || !PositiveList.concerns(window.until, now: now)
                    ? []
                    : subjects.filter { $0.kind == SubjectIdentity.phone }.map {
                        .init(
                            scheme: PositiveScheme.id.rawValue, value: PositiveScheme.digest(kind: $0.kind, id: $0.id))
                    })
            guard let number = try store.add(report) else { return }
            let matching = ReportMatching(policy: policy, retention: configuration.retention)
            let stored = InteractionStore.StoredReport(number: number, report)
            // A daemon on the same store may have been faster: what changed isn't all there is.
            _ = try matching.match(stored, in: store, now: now)
            for stale in try store.staleNotices() { try matching.announce(stale, in: store, now: now) }
            let exposures =
                policy.reportTypes[stored.positive.reportType] > 0
                ? try matching.exposures(of: stored, in: store, now: now) : []
            let exposed = try store.subjects(Set(exposures.map(\.subject))).filter { number, subject in
                // Together with what followed from other reports, of which one of the same person may stand for this.
                let told = Risk(try store.exposures(of: subject), policy: policy, now: now).exposures
                return exposures.contains { exposure in
                    exposure.subject == number
                        && told.contains { $0.start <= exposure.end && exposure.start <= $0.end }
                }
            }
            try Terminal.print("report \(report.reference), \(report.positive.reportType.rawValue)")
            for subject in exposed.values.sorted() { try Terminal.print(subject.description) }
            Terminal.note(
                "\(exposed.count) \(exposed.count == 1 ? "subject was" : "subjects were") exposed by \(policy.name), "
                    + "version \(policy.version); `exposures` says when, where and why")
            let untold = exposures.filter { $0.end >= matching.earliest(now: now) && exposed[$0.subject] == nil }
            if !untold.isEmpty {
                Terminal.note(
                    "\(untold.count) more \(untold.count == 1 ? "stays" : "stay") below what \(policy.name) calls a risk"
                )
            }
            let silent = exposures.count { $0.end < matching.earliest(now: now) }
            if silent > 0 {
                Terminal.note(
                    "\(silent) \(silent == 1 ? "exposure" : "exposures") ended more than \(matching.daysTold) days ago; "
                        + "nobody is notified of exposures that old, `exposures` shows them")
            }
        }
    }
}
