import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import MatcherDaemon
import OperatorText

struct SurveyRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes spots of surveys.",
        discussion: "The models of the floors are made anew within a minute.")

    @Argument(help: "Numbers of spots, as `survey list` shows them.")
    var spots: [Int64] = []

    @Option(help: ArgumentHelp("Remove all spots of a floor.", valueName: "floor"))
    var floor: String?

    @OptionGroup var options: SurveyOptions

    func validate() throws {
        if spots.isEmpty == (floor == nil) { throw ValidationError("specify either spots or --floor") }
    }

    func run() async throws {
        try await Terminal.run {
            let (configuration, settings) = try options.read()
            let store = try configuration.openStore(creating: false)
            var numbers = Set(spots)
            if let floor {
                let spots = try store.surveySpots()
                // A floor may have left the plans since.
                let path =
                    spots.contains { $0.spot.floor == floor }
                    ? floor : try FloorPlanOptions.Opened(plans: settings.plans).plan(floor).path
                numbers = Set(spots.filter { $0.spot.floor == path }.map(\.number))
            }
            let removed = try store.removeSurveySpots(numbers)
            try Terminal.print("removed \(removed.count) spot\(removed.count == 1 ? "" : "s")")
            let unknown = numbers.subtracting(removed).sorted()
            if !unknown.isEmpty {
                throw UnknownName(
                    what: "there is no spot \(unknown.prefix(20).map(String.init).joined(separator: ", "))",
                    remedy: "list the spots with: beacon-matcher survey list")
            }
        }
    }
}
