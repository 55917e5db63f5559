import ArgumentParser
import BeaconModel
import CommandSupport
import Crypto
import InteractionStore
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import RecordContract
import SystemIO

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Reports a positive subject, and shows who was exposed.",
        discussion: """
            For health officers, who confirm the report by using this command. Apps report over HTTP, with a \
            verification. A daemon on the same store notifies exposed subjects within seconds, and continues to match \
            records that arrive late. Codes that a phone chose at random without committing to them beforehand count \
            only after --confirm. --withdraw withdraws a mistaken report and the notifications that followed from it.
            """)

    @Argument(
        help: ArgumentHelp(
            "Positive subject, KIND:ID; repeat for each device of one person: badge:UUID/MAJOR/MINOR, phone:ID. Or the "
                + "name or number of a person of the register, for all of the person's devices."),
        transform: MatcherOption.named)
    var subjects: [NamedSubject] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Withdraw this report instead; `reports` shows the ids.", valueName: "id"))
    var withdraw: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Confirm this report: it counts as confirmed, with everything in it that waits. `reports` shows which "
                + "reports wait.",
            valueName: "id"))
    var confirm: String?

    @Option(
        help: ArgumentHelp("The day on which symptoms began.", valueName: "day"), transform: MatcherOption.day)
    var onset: Int64?

    @Option(help: ArgumentHelp("The day of the test.", valueName: "day"), transform: MatcherOption.day)
    var testDate: Int64?

    @Option(
        help: ArgumentHelp(
            "Start: a time, or a day from its beginning (default: the policy's days before the test, the onset or "
                + "now).",
            valueName: "time"), transform: MatcherOption.time)
    var from: DayOrTime?

    @Option(
        help: ArgumentHelp(
            "Report as of this time; a day stands for its first second (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var asOf: DayOrTime?

    @Flag(help: "Store the report as unconfirmed. Most policies ignore unconfirmed reports.")
    var selfReported = false

    @Flag(
        help:
            "Do not ask about names that no gateway ever received; accept erased names, and a time without records."
    )
    var unheard = false

    @Flag(help: "Print one JSON document: the report's id, its subjects, and who was exposed.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if [!subjects.isEmpty, withdraw != nil, confirm != nil].count(where: \.self) != 1 {
            throw ValidationError(
                "Specify a positive subject, KIND:ID, or --withdraw or --confirm with the id of a report.")
        }
        let others = onset != nil || testDate != nil || from != nil || selfReported || unheard
        if withdraw != nil, others { throw ValidationError("--withdraw takes only the id of a report.") }
        if confirm != nil, others { throw ValidationError("--confirm takes only the id of a report.") }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let policy = configuration.policy
            let store = try configuration.openStore(creating: false)
            let days = configuration.days
            let present = WallClock.now().microseconds / 1_000_000
            let now = asOf?.present(clock: present, in: days) ?? present
            // A report of the future would be matched until that time.
            guard now <= present else { throw ValidationError("--as-of must not be in the future.") }
            let matching = ReportMatching(
                policy: policy, retention: configuration.retention, phoneDelay: configuration.phones.tellingDelay)
            if let withdraw { return try self.withdraw(withdraw, in: store, days) }
            if let confirm { return try self.confirm(confirm, in: store, matching, days, now: now) }
            let positive = PositiveCase(
                reportType: selfReported ? .selfReported : .confirmed, onset: onset, test: testDate)
            let span = try AskedSpan.contacts(
                of: positive, by: policy, from: from, isReport: true, days: days, now: now)
            let named = try NamedSubjects(subjects, in: store)
            // What follows states whether they were received, and when they were erased.
            for name in named.audited { try store.noteCommand(.sawPerson, name, detail: "before a report") }
            let subjects = named.subjects
            try FixedBeaconNamed.refuse(subjects, in: store, since: span.since)
            try HeardSubjects.refuseErased(
                subjects, in: store, since: span.since, days: days, isAgreed: unheard)
            let numbers = try await HeardSubjects.numbers(
                of: subjects, of: named.people, in: store, isAgreed: unheard, asks: true)
            let shown = "since \(days.text(span.since)) \(days.name)"
            // With a mistyped day nobody would be exposed or notified.
            guard try unheard || store.knowsAnybody(from: span.since, to: min(span.until, now)) else {
                throw NothingHeard(asked: shown, known: try store.knownSpan(in: days))
            }
            var past = span
            past.until = min(span.until, now)
            try HeardSubjects.noteSilence(of: numbers, in: store, during: past, shown: shown)
            let report = PositiveReport(
                reference: Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)), received: now,
                positive: positive, of: subjects, in: span)
            let entry = CommandAudit.entry(
                .filedReport, report.reference, detail: positive.reportType.rawValue)
            guard let number = try store.add(report, audit: entry).number else { return }
            try tell(.init(number: number, report), in: store, matching, now: now)
        }
    }

    /// Matches a report and prints the exposures that follow from it. The daemon notifies the subjects when it is time.
    ///
    /// - Parameter confirmed: codes that had been waiting until now.
    private func tell(
        _ stored: FiledReport, in store: InteractionStore, _ matching: ReportMatching, now: Int64,
        confirmed: FiledReport.Waiting? = nil
    ) throws {
        let policy = matching.policy
        // A daemon on the same store may have matched first: the changes are not all the exposures there are.
        for gateway in try matching.match(stored, in: store, now: now).sorted() {
            Terminal.note(ExposureWords.leftOut(gateway))
        }
        let findings =
            policy.reportTypes[stored.positive.reportType] > 0
            ? try matching.findings(of: stored, in: store, now: now) : nil
        if let note = ExposureWords.withoutReadings(findings?.daysWithoutReadings ?? []) { Terminal.note(note) }
        let exposures = findings?.exposures ?? []
        let exposed = try store.subjects(Set(exposures.map(\.subject))).filter { number, subject in
            // Together with exposures by other reports: one by the same person may stand for this one.
            let told = Risk(try store.exposures(of: subject), policy: policy, now: now).exposures
            return exposures.contains { exposure in
                exposure.subject == number
                    && told.contains { $0.start <= exposure.end && exposure.start <= $0.end }
            }
        }
        let names = try RegisteredNames(of: Array(exposed.values) + stored.subjects.map(\.identity), in: store)
        let document = FiledReportDocument(
            stored, exposures: exposures, exposed: exposed, policy: policy, earliest: matching.earliest(now: now),
            confirmed: confirmed, people: names.people)
        if json { return try Terminal.print(JSON.encode(document)) }
        try Terminal.print(
            confirmed == nil
                ? "report \(stored.reference), \(document.type)" : "report \(stored.reference) is confirmed")
        for subject in exposed.values.sorted() { try Terminal.print(names.line(of: subject)) }
        if let confirmed, !confirmed.isEmpty { Terminal.note("\(confirmed.text) were waiting, and count now") }
        for note in Self.notes(document, daysTold: matching.daysTold) { Terminal.note(note) }
    }

    private func confirm(
        _ reference: String, in store: InteractionStore, _ matching: ReportMatching, _ days: CalendarDays, now: Int64
    ) throws {
        let before = try decide(.confirmed, reference, in: store, days)
        guard let report = try store.filedReport(reference) else { throw Self.unknown(reference) }
        if before?.type == .selfReported { Terminal.note("it was self-reported, and is confirmed now") }
        try tell(report, in: store, matching, now: now, confirmed: before?.waiting ?? .init())
    }

    /// Decides about a report as officers do on the page, under the name of the command's user.
    ///
    /// - Returns: what the report was before; `nil` if nothing was changed, because it was decided before or nothing in
    ///   it waits.
    /// - Throws: `StoreError`; `UnknownName` if there is no such report, with the decision by which it was deleted.
    private func decide(
        _ kind: ReportDecision.Kind, _ reference: String, in store: InteractionStore, _ days: CalendarDays
    ) throws -> InteractionStore.Before? {
        let entry = CommandAudit.entry(kind == .confirmed ? .confirmedReport : .withdrewReport, reference)
        let decision = ReportDecision(kind, reason: "", name: entry.name, at: entry.at)
        switch try store.decide(decision, report: reference, audit: entry) {
        case .done(let before): return before
        case .nothingWaits:
            try store.noteCommand(.sawReport, reference)
            Terminal.note("nothing in this report waits; nothing was changed")
            return nil
        case .already(let earlier):
            try store.noteCommand(.sawReport, reference)
            let text =
                "report \(reference) was \(earlier.kind.rawValue) before, by \(earlier.name) at "
                + "\(days.text(earlier.at)) \(days.name)"
                + (earlier.reason.isEmpty ? "" : ", because: \(earlier.reason)")
            guard earlier.kind == .confirmed else {
                throw UnknownName(
                    what: text, remedy: "nothing is left to do: the report is deleted, and nothing follows from it")
            }
            Terminal.note(text + "; nothing was changed")
            return nil
        case .unknownReport: throw Self.unknown(reference)
        }
    }

    private static func unknown(_ reference: String) -> UnknownName {
        UnknownName(
            what: "there is no report \(reference.excerpt)", remedy: "`reports` lists the reports")
    }

    private static func notes(_ document: FiledReportDocument, daysTold: Int64) -> [String] {
        let (policy, exposed, below, old) = (
            document.policy, document.exposed.count, document.belowRisk, document.tooOld
        )
        var notes: [String] = []
        if !document.counts { notes.append(ExposureWords.nothingFollows(by: policy.name)) }
        notes.append(
            "\(exposed) \(exposed == 1 ? "subject was" : "subjects were") exposed by \(policy.name), version "
                + "\(policy.version); `exposures` shows when, where and why")
        if below > 0 {
            notes.append("\(below) more \(below == 1 ? "stays" : "stay") below the risk threshold of \(policy.name)")
        }
        if old > 0 {
            notes.append(
                "\(old) \(old == 1 ? "exposure" : "exposures") ended more than \(daysTold) days ago; exposures that "
                    + "old are not notified, but `exposures` shows them")
        }
        if let note = ClockDoubt.note(of: document.doubtfulClocks, "exposure") { notes.append(note) }
        return notes
    }

    private func withdraw(_ reference: String, in store: InteractionStore, _ days: CalendarDays) throws {
        guard let before = try decide(.withdrawn, reference, in: store, days) else { return }
        let names = try RegisteredNames(of: before.exposed, in: store)
        if json {
            return try Terminal.print(
                JSON.encode(
                    WithdrawnReportDocument(
                        report: reference, type: before.type.rawValue,
                        exposed: before.exposed.sorted().map {
                            ExposureDocument.Subject($0, person: names.people[$0])
                        })))
        }
        try Terminal.print("report \(reference), \(before.type.rawValue), was withdrawn")
        for subject in before.exposed.sorted() { try Terminal.print(names.line(of: subject)) }
        let count = before.exposed.count
        Terminal.note(
            "\(count) \(count == 1 ? "subject" : "subjects") had been exposed by it; the daemon withdraws their "
                + "notifications, now or when it next runs")
    }
}
