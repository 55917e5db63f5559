import ArgumentParser
import BeaconModel
import CommandSupport
import Evidence
import InteractionStore
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import RecordContract
import SystemIO

struct ExposuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposures", abstract: "Shows who was exposed to a positive subject, by which policy, and why.")

    @Option(
        help: ArgumentHelp(
            "Positive subject, KIND:ID; repeat for each device of one person: badge:UUID/MAJOR/MINOR, phone:ID. Or the "
                + "name or number of a person of the register, for all of the person's devices.",
            valueName: "subject"), transform: MatcherOption.named)
    var positive: [NamedSubject]

    @Option(
        help: ArgumentHelp(
            "Start: a time, or a day from its beginning (default: the policy's days before the test, the onset or "
                + "now).",
            valueName: "time"), transform: MatcherOption.time)
    var from: DayOrTime?

    @Option(
        help: ArgumentHelp(
            "End: a time, or a day to its end (default: ten days after the test or the onset, at most now).",
            valueName: "time"),
        transform: MatcherOption.time)
    var to: DayOrTime?

    @Option(
        help: ArgumentHelp(
            "Search as of this time; a day stands for its first second (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var asOf: DayOrTime?

    @Option(help: ArgumentHelp("The name of a policy (default: the configuration's).", valueName: "name"))
    var policy: String?

    @Option(
        help: ArgumentHelp("The day on which symptoms began.", valueName: "day"), transform: MatcherOption.day)
    var onset: Int64?

    @Option(help: ArgumentHelp("The day of the test.", valueName: "day"), transform: MatcherOption.day)
    var testDate: Int64?

    @Flag(help: "Treat the report as unconfirmed. Most policies ignore unconfirmed reports.")
    var selfReported = false

    @Flag(
        help: ArgumentHelp(
            "Include subjects that this report alone puts at no risk: with policies that add up the minutes of a day, "
                + "those below the risk threshold."
        ))
    var all = false

    @Flag(help: "Continue with names that no gateway ever received, or that were erased since.")
    var unheard = false

    @Flag(help: "Print one JSON document per line, with the full explanation.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let policy = try chosenPolicy(configuration)
            let store = try configuration.openStore(creating: false)
            let days = configuration.days
            let clock = WallClock.now().microseconds / 1_000_000
            let now = asOf?.present(clock: clock, in: days) ?? clock
            let positiveCase = PositiveCase(
                reportType: selfReported ? .selfReported : .confirmed, onset: onset, test: testDate)
            let span = try AskedSpan.contacts(
                of: positiveCase, by: policy, from: from, to: to, isReport: false, days: days, now: now)
            let shown = "from \(days.text(span.since)) to \(days.text(span.until)) \(days.name)"
            let named = try NamedSubjects(positive, in: store)
            for name in named.audited { try store.noteCommand(.sawExposures, name, detail: shown) }
            let positive = named.subjects
            let search = ExposureSearch(
                subjects: positive.map { .init(identity: $0, since: span.since, until: span.until) },
                positive: positiveCase, policy: policy, isExplained: json)
            try FixedBeaconNamed.refuse(positive, in: store, since: span.since)
            try HeardSubjects.refuseErased(
                positive, in: store, since: span.since, days: days, isAgreed: unheard)
            let numbers = try await HeardSubjects.numbers(
                of: positive, of: named.people, in: store, isAgreed: unheard)
            guard try store.knowsAnybody(from: span.since, to: span.until) else {
                throw NothingHeard(asked: shown, known: try store.knownSpan(in: days))
            }
            try HeardSubjects.noteSilence(of: numbers, in: store, during: span, shown: shown)
            if policy.reportTypes[positiveCase.reportType] == 0 {
                Terminal.note(ExposureWords.nothingFollows(by: policy.name))
            }
            let findings = try search.run(store)
            for gateway in findings.leftOut.union(findings.flooding).sorted() {
                Terminal.note(ExposureWords.leftOut(gateway))
            }
            let found = findings.exposures
            let exposures = all ? found : search.told(found)
            if exposures.count < found.count {
                let more = found.count - exposures.count
                Terminal.note(
                    "\(more) more \(more == 1 ? "stays" : "stay") below the risk threshold of \(policy.name), by this "
                        + "report alone; --all shows \(more == 1 ? "it" : "them")")
            }
            var names = try ExposureNames(exposures, store: store)
            let registered = try RegisteredNames(of: Array(names.subjects.values) + positive, in: store)
            names.people = registered.people
            let risks = search.risks(found)
            if json {
                for exposure in exposures {
                    try Terminal.print(
                        JSON.encode(
                            ExposureDocument(
                                exposure, positive: positive, policy: policy, risk: risks[exposure.subject],
                                names: names)))
                }
                return
            }
            for line in Self.table(exposures, risks, names, registered, days) { try Terminal.print(line) }
            Terminal.note(Self.summary(exposures, policy, shown))
            if let note = Self.uncompared(findings) { Terminal.note(note) }
            if let note = ExposureWords.withoutReadings(findings.daysWithoutReadings) { Terminal.note(note) }
            let doubtful = exposures.count { $0.explanation.missing.contains(.clock) }
            if let warning = policy.warning, !exposures.isEmpty { Terminal.note("\(policy.name): \(warning)") }
            if let note = ClockDoubt.note(of: doubtful, "exposure") { Terminal.note(note) }
            // A user who gives an end knows that the time is past.
            guard to == nil else { return }
            let matching = ReportMatching(
                policy: policy, retention: configuration.retention, phoneDelay: configuration.phones.tellingDelay)
            let old = exposures.count { $0.end < matching.earliest(now: now) }
            if old > 0 {
                Terminal.note(
                    "\(old) of them ended more than \(matching.daysTold) days ago; exposures that old are not notified"
                )
            }
        }
    }

    private static func summary(_ exposures: [Exposure], _ policy: Policy, _ shown: String) -> String {
        let by = "by \(policy.name), version \(policy.version), \(shown)"
        if exposures.isEmpty { return "no exposures were found \(by)" }
        let people = Set(exposures.map(\.subject)).count
        return "\(exposures.count) \(exposures.count == 1 ? "exposure" : "exposures") of \(people) "
            + "\(people == 1 ? "subject" : "subjects") \(by); --json explains each"
    }

    /// Returns a note on the time in which the positive subject was heard but could not be compared with anybody.
    private static func uncompared(_ findings: ExposureSearch.Findings) -> String? {
        guard findings.uncomparedMinutes > 0 else { return nil }
        let minutes = "\(findings.uncomparedMinutes) of the \(findings.heardMinutes) minutes"
        return
            "in \(minutes) in which the positive was received, fewer than two receivers of a floor received them: for "
            + "those minutes contacts are known only by distances"
    }

    private func chosenPolicy(_ configuration: MatcherConfiguration) throws -> Policy {
        guard let name = policy else { return configuration.policy }
        guard let chosen = configuration.policies[name] else {
            throw UnknownPolicy(name: name, known: configuration.policies.keys.sorted())
        }
        return chosen
    }

    private static func table(
        _ exposures: [Exposure], _ risks: [Int64: Risk<Exposure>], _ names: ExposureNames,
        _ registered: RegisteredNames, _ days: CalendarDays
    ) -> [String] {
        if exposures.isEmpty { return [] }
        var table = TextTable([
            ("SUBJECT", .left), ("PLACE", .left), ("FROM (\(days.name))", .left), ("TO", .left),
            ("MINUTES", .right), ("FOUND BY", .left), ("METRES APART", .right), ("PROBABILITY", .right),
            ("RISK", .left),
        ])
        for exposure in exposures {
            let place = names.places[exposure.place]
            let range = exposure.range.map { range in
                let lower = Format.fixed(Double(range.lowerBound) / 100, 1)
                return "\(lower) to \(Format.fixed(Double(range.upperBound) / 100, 1))"
            }
            table.add([
                registered.label(of: names.subject(exposure.subject)), place.map { $0.room ?? $0.key } ?? "?",
                days.text(exposure.start), days.text(exposure.end),
                Format.fixed(exposure.minutes, 1), exposure.way.rawValue, range ?? "-",
                Format.fixed(exposure.probability * 100, 0) + " %",
                risks[exposure.subject].map { ExposureWords.risk($0.level, label: $0.label) } ?? "",
            ])
        }
        return table.lines(width: Terminal.tableWidth)
    }
}
