import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import Matching
import OperatorText
import People
import SystemIO

struct PeopleImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Replaces the register of people by a CSV file.",
        discussion: """
            The file has the columns number, name, contact and subject; docs/guide/matcher/people.md describes it. All \
            is imported or, if there is a mistake, nothing. The output states who is new, changed and removed. What \
            was heard of a badge or phone that passes to another person counts as that person's: nothing is imported \
            without --pass-on then.
            """)

    @Argument(help: "A CSV file in UTF-8.")
    var file: String

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Keep people of the register who are not in the file.")
    var keep = false

    @Flag(help: "Import also if badges or phones pass to other people, with what was heard of them before.")
    var passOn = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileContents.read(file, limit: PeopleFile.longest + 1)
            } catch {
                throw UnreadableFile(error: error)
            }
            let people = try PeopleFile.parse(bytes, file: file, fixedBeacons: configuration.fixedSubjects)
            let store = try configuration.openStore(creating: !dryRun)
            // As on the page: differences and conflicts show people of the register.
            try store.noteCommand(.uploaded, "people", detail: "list of \(people.count), not imported yet")
            let difference =
                try dryRun
                ? store.peopleDifference(to: people, keepsOthers: keep) : importing(people, in: store)
            guard difference.conflicts.isEmpty else {
                throw PeopleConflicts(path: file, conflicts: difference.conflicts)
            }
            try Self.print(difference)
            if dryRun { Terminal.note("nothing was changed: --dry-run") }
            if dryRun, !passOn, !difference.passedOn.isEmpty {
                Terminal.note("without --pass-on nothing will be imported: \(PassingOnNeedsFlag.consequence)")
                Terminal.note(PassingOnNeedsFlag.choice)
            }
        }
    }

    /// Imports people, unless there are conflicts.
    ///
    /// - Returns: what was changed, or what conflicts.
    private func importing(_ people: [Person], in store: InteractionStore) throws -> PeopleDifference {
        let outcome = try store.importPeople(
            people, keepsOthers: keep, isAgreed: { passOn || $0.passedOn.isEmpty },
            audit: { CommandAudit.entry(.uploaded, "people", detail: "imported: \($0.summary)") })
        switch outcome {
        case .done(let difference): return difference
        case .refused(let difference):
            if difference.conflicts.isEmpty { throw PassingOnNeedsFlag(path: file, passedOn: difference.passedOn) }
            return difference
        }
    }

    /// Maximum number of people that are listed for each kind of change.
    private static let mostListed = 20

    private static func print(_ difference: PeopleDifference) throws {
        func list(_ kind: String, _ lines: [String]) throws {
            for line in lines.prefix(mostListed) { try Terminal.print("\(kind): \(line)") }
            if lines.count > mostListed { try Terminal.print("\(kind): and \(lines.count - mostListed) more") }
        }
        try list("passed on", difference.passedOn.map(\.text))
        try list("new", difference.added.map(\.label))
        try list("changed", difference.changed.map(\.text))
        try list("removed", difference.removed.map(\.label))
        Terminal.note(difference.summary)
    }
}

/// Badges and phones that a file gives to people, and that the register keeps for others.
private struct PeopleConflicts: OperatorError {
    var path: String
    var conflicts: [PeopleDifference.Conflict]

    var what: String {
        let count = conflicts.count
        let most = PeopleFileError.mostListed
        var lines = ["\(path) has \(count) \(count == 1 ? "conflict" : "conflicts") with people who are kept"]
        lines += conflicts.prefix(most).map {
            "  \($0.subject) belongs to \($0.imported.label) in the file and to \($0.kept.label) in the register"
        }
        if count > most { lines.append("  and \(count - most) more") }
        return lines.joined(separator: "\n")
    }
    var meaning: String? { "nothing was imported" }
    var remedy: String? {
        "add the people of the register to the file without these, remove them with `beacon-matcher people remove`, or "
            + "import without --keep"
    }
    var exitStatus: BeaconModel.ExitStatus { .data }
}

/// Badges and phones that a file takes from some people and gives to others.
private struct PassingOnNeedsFlag: OperatorError {
    static let consequence =
        "what was heard of a badge or phone before would count as the new person's, on their own page, in letters and "
        + "e-mails to them, and in a report about them"
    static let choice =
        "erase each first with `beacon-matcher erase KIND:ID`, and import the file again; or add --pass-on, for example "
        + "if it is the same person under another number"

    var path: String
    var passedOn: [PeopleDifference.PassingOn]

    var what: String {
        let count = passedOn.count
        let most = PeopleFileError.mostListed
        var lines = ["\(path) gives \(count) \(count == 1 ? "badge or phone" : "badges and phones") to another person"]
        lines += passedOn.prefix(most).map { "  \($0.text)" }
        if count > most { lines.append("  and \(count - most) more") }
        return lines.joined(separator: "\n")
    }
    var meaning: String? { "nothing was imported: \(Self.consequence)" }
    var remedy: String? { Self.choice }
    var exitStatus: BeaconModel.ExitStatus { .data }
}
