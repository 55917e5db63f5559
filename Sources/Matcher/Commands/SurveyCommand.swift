import ArgumentParser

struct SurveyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "survey", abstract: "Measures what receivers hear at known spots, which improves positions.",
        discussion: """
            Somebody stands for half a minute at three to five spots of each room, and in corridors, with a badge. \
            The matcher learns from this what each receiver hears where. Cross-validation says whether positions get \
            better by it; if they do not, the survey is not used. A receiver that is moved must be surveyed again. \
            Modules at receivers are spots too, which the daemon measures anew each night.
            """,
        subcommands: [
            SurveyTakeCommand.self, SurveyListCommand.self, SurveyCheckCommand.self, SurveyRemoveCommand.self,
        ], defaultSubcommand: SurveyListCommand.self)
}
