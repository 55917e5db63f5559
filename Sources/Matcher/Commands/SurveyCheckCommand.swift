import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import MatcherDaemon

struct SurveyCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Shows what surveys improve, by cross-validation.",
        discussion: """
            Each fifth of the spots is located by a model that knows only the others. A survey that makes positions \
            worse is not used: remove spots that were measured at another place than they say.
            """)

    @OptionGroup var options: SurveyOptions

    func run() async throws {
        try await Terminal.run {
            let (configuration, settings) = try options.read()
            let survey = try CheckedSurvey(settings, configuration.openStore(creating: false))
            if survey.buildings.isEmpty { Terminal.note("there is no survey") }
            for line in survey.text { try Terminal.print(line) }
        }
    }
}
