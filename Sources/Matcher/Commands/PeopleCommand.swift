import ArgumentParser

struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "Manages the register of people: whose badges and phones are whose.",
        discussion: """
            Commands that take a badge or phone also take the name or number of a person of the register, and tables \
            show names. The register is kept apart from interactions, and is on when it has entries.
            """,
        subcommands: [
            PeopleListCommand.self, PeopleImportCommand.self, PeopleExportCommand.self, PeopleRemoveCommand.self,
        ], defaultSubcommand: PeopleListCommand.self)
}
