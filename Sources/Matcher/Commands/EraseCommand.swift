import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import People
import RecordContract
import SystemIO

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erases all data about a subject, and verifies that nothing is left.",
        discussion: """
            Records about the subject's past that a gateway or broker still holds are rejected afterwards. The \
            verification covers this store: its rows and, with SQLite, the bytes of its files. Backups, and the \
            write-ahead log of a PostgreSQL server, must be cleaned by their owners.
            """)

    @Argument(help: "KIND:ID, such as badge:UUID/MAJOR/MINOR or phone:ID.", transform: MatcherOption.subject)
    var subject: SubjectIdentity?

    @Option(
        help: ArgumentHelp(
            "Instead of a subject: erase what is kept under a student's number. These are check-ins, corrections, "
                + "settled verdicts, answers to the questionnaire, and test results that were sent in with it.",
            valueName: "number"))
    var number: String?

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Print one JSON document. Without --yes the command still asks for confirmation.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if (subject == nil) == (number == nil) {
            throw ValidationError("Specify either a subject, KIND:ID, or --number")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            if let subject { try await erase(subject, in: store, configuration) }
            if let number { try await erase(number: number, in: store) }
        }
    }

    private func erase(
        _ subject: SubjectIdentity, in store: InteractionStore, _ configuration: MatcherConfiguration
    ) async throws {
        // The subject's name in this entry is erased with the subject.
        try store.noteCommand(.sawPerson, subject.description, detail: "what erasing would delete")
        let holdings = try store.holdings(of: subject)
        for line in Self.lines(holdings, of: subject, days: configuration.days) { try show(line) }
        if holdings.isEmpty {
            Terminal.note(
                "note: the store has no data about \(subject); check the name. Records of its past that arrive later "
                    + "will be rejected")
        }
        try await ask(about: subject.description)
        let now = WallClock.now().microseconds / 1_000_000
        // The entry does not say whose data: it would keep the name.
        let erased = try SubjectErasure(
            of: subject, in: store, now: now, audit: CommandAudit.entry(.erasedData, detail: subject.kind))
        let erasure = erased.erasure
        let topic = NoticeTopic.topic(prefix: configuration.topicPrefix, key: erased.topicKey)
        if json {
            try Terminal.print(JSON.encode(ErasureDocument(erasure, of: subject, topic: topic)))
        } else {
            try Self.print(erasure, of: subject, topic: topic)
        }
        guard erasure.isComplete else {
            throw IncompleteErasure(subject: subject, places: erasure.places, tables: erasure.remainingTables)
        }
    }

    /// Shows a line of what will be erased. The user may have to agree before the document is printed.
    func show(_ line: String) throws {
        if json { Terminal.note(line) } else { try Terminal.print(line) }
    }

    /// Asks for agreement, unless it was given.
    ///
    /// - Throws: an error if the user does not agree, or cannot be asked.
    func ask(about name: String) async throws {
        if yes { return }
        guard Terminal.canAsk else { throw ErasureNeedsYes(name: name) }
        guard try await Terminal.isAgreed("erase this permanently") else {
            Terminal.note("nothing was erased")
            throw ExitCode.failure
        }
    }
}

extension EraseCommand {
    private static func print(
        _ erasure: InteractionStore.Erasure, of subject: SubjectIdentity, topic: String
    ) throws {
        let rows = erasure.remaining.values.reduce(0, +)
        try Terminal.print(
            "erased \(erasure.interactions) interactions"
                + (erasure.stays > 0
                    ? ", \(erasure.minutes) minutes of readings and \(erasure.stays) located stays"
                    : " and \(erasure.minutes) minutes of readings") + " of \(subject)")
        if erasure.surveySpots > 0 { try Terminal.print("erased \(erasure.surveySpots) spots of surveys") }
        switch erasure.register {
        case .person?: try Terminal.print("erased the register's entry of the person, who has no other badge or phone")
        case .subject?: try Terminal.print("erased it from the register's entry of the person")
        case nil: break
        }
        try Terminal.print("rows that name it now: \(rows)")
        for file in erasure.searchedFiles {
            let id = subject.isNamedByIDAlone ? "the id" : "the id beside its kind"
            try Terminal.print(
                "\(file): \(erasure.foundIn.contains(file) ? "STILL HOLDS" : "does not hold") \(id)")
        }
        if erasure.forgottenPlaces > 0 {
            Terminal.note(
                "a gateway had claimed this beacon as mounted at its place; the claim is deleted, and will be rejected")
        }
        if !erasure.forgottenRooms.isEmpty {
            Terminal.note(
                "deleted rooms that gateways had given this name: \(erasure.forgottenRooms.joined(separator: ", "))")
        }
        if erasure.withdrawsNotice {
            Terminal.note(
                "the daemon withdraws the notification at the broker, now or when it next runs: \(topic)")
        }
    }

    /// Returns a number with its noun.
    static func counted(_ count: Int, _ one: String, _ more: String) -> String {
        "\(count) \(count == 1 ? one : more)"
    }

    /// Returns lines that describe what will be erased.
    private static func lines(
        _ holdings: InteractionStore.Holdings, of subject: SubjectIdentity, days: CalendarDays
    ) -> [String] {
        let times = holdings.times.map {
            ", \(days.text($0.lowerBound)) to \(days.text($0.upperBound)) \(days.name)"
        }
        var lines = [
            "\(subject): \(counted(holdings.interactions, "interaction", "interactions"))\(times ?? ""), "
                + "\(counted(holdings.minutes, "minute", "minutes")) of readings, "
                + counted(holdings.exposures, "exposure", "exposures")
        ]
        if holdings.stays > 0 {
            lines.append("\(counted(holdings.stays, "located stay", "located stays")): where it was, and when")
        }
        if holdings.surveySpots > 0 {
            lines.append(
                "\(counted(holdings.surveySpots, "spot", "spots")) of surveys at which it was carried: without them, "
                    + "positions there are less exact")
        }
        if holdings.reports > 0 {
            lines.append(
                "\(counted(holdings.reports, "report", "reports")) about it, through which "
                    + "\(counted(holdings.exposedOthers, "other was", "others were")) exposed")
        }
        if holdings.attendance > 0 {
            lines.append("\(counted(holdings.attendance, "row", "rows")) of attendance with this name as the student")
        }
        if let person = holdings.person {
            let others = person.subjects.count - 1
            let fate =
                others > 0
                ? "stays, with \(counted(others, "other badge or phone", "other badges and phones"))"
                : "is erased too, because the person has no other badge or phone"
            lines.append("the register of people: it belongs to \(person.label), whose entry \(fate)")
        }
        return lines
    }
}

private struct ErasureNeedsYes: OperatorError {
    /// Subject, or number.
    var name: String

    var what: String { "erasing \(name) requires confirmation, and there is no terminal to ask on" }
    var meaning: String? { "nothing was erased" }
    var remedy: String? { "add --yes" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}

private struct IncompleteErasure: OperatorError {
    var subject: SubjectIdentity
    /// Number of places that still have its name.
    var places: Int
    /// Tables that still have its name, as far as it is known.
    var tables: [String]

    var what: String {
        places > 0
            ? "the name of \(subject) is left: the configuration or an operator declares this beacon as mounted"
            : "some data about \(subject) is left"
                + (tables.isEmpty
                    ? "" : " in \(tables.count == 1 ? "the table" : "the tables") \(tables.joined(separator: ", "))")
    }
    var remedy: String? {
        if places > 0 {
            return
                "if somebody carries it, remove it from [[rooms]] and [[neighbours]], run `beacon-matcher places deny "
                + "\(subject.id)`, and erase it again"
        }
        let again = "repeat the command when nothing else writes to the store"
        if tables.isEmpty { return again }
        return again
            + "; if the name stays in a table, it is in a text that erasing does not change: correct or delete "
            + "that text, or wait for its retention, and erase again"
    }
    var exitStatus: ExitStatus { .data }
}
