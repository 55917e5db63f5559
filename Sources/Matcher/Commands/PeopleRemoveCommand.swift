import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import Matching
import OperatorText
import People

struct PeopleRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a person from the register.",
        discussion: """
            What the store has of the person's badges and phones stays, without a name; `erase` erases it with the \
            register's entry.
            """)

    @Argument(help: "The number of the person.")
    var number: String

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            if !yes { try store.noteCommand(.sawPerson, number) }
            guard let person = try store.person(number: number) else { throw unknown }
            if !yes {
                guard Terminal.canAsk else { throw RemovalNeedsYes(person: person) }
                guard try await Terminal.isAgreed("remove \(person.label) from the register") else {
                    Terminal.note("nothing was removed")
                    throw ExitCode.failure
                }
            }
            let entry = CommandAudit.entry(.removedPerson, number)
            guard let removed = try store.removePerson(number: number, audit: entry) else { throw unknown }
            try Terminal.print("removed \(removed.label) from the register")
            if !removed.subjects.isEmpty {
                Terminal.note(
                    "the data of \(removed.subjects.map(\.description).joined(separator: ", ")) stays; `erase` erases "
                        + "it")
            }
        }
    }

    private var unknown: UnknownName {
        UnknownName(
            what: "the register has nobody with the number \(number.excerpt)",
            remedy: "search with: beacon-matcher people list PART-OF-A-NAME")
    }
}

private struct RemovalNeedsYes: OperatorError {
    var person: Person

    var what: String { "removing \(person.label) requires confirmation, and there is no terminal to ask on" }
    var meaning: String? { "nothing was removed" }
    var remedy: String? { "add --yes" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}
