import ArgumentParser

struct FloorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floors", abstract: "Checks, shows and imports floor plans, and suggests positions of receivers.",
        discussion: """
            A plan has the rooms, walls and doors of a floor in metres. It is a TOML file that the configuration \
            names: [localisation] plan = "floors.toml". It shows what is where, and whether receivers hang where they \
            should.
            """,
        subcommands: [
            FloorsListCommand.self, FloorsCheckCommand.self, FloorsShowCommand.self, FloorsSuggestCommand.self,
            FloorsOffsetsCommand.self, FloorsImportCommand.self,
        ], defaultSubcommand: FloorsListCommand.self)
}
