import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import MatcherDaemon
import OperatorText

/// Options of the commands on surveys.
struct SurveyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The matcher's configuration, with a [localisation] table.", valueName: "file"))
    var config: String

    /// Reads the configuration.
    ///
    /// - Parameter purposes: purposes of the secrets that are needed.
    /// - Throws: `ConfigurationError`, `UnreadableConfiguration`, `NoLocalisation`.
    func read(_ purposes: Set<SecretAccess.Purpose> = [.store]) throws -> (
        configuration: MatcherConfiguration, settings: LocalisationSettings
    ) {
        var configuration = try MatcherConfiguration.load(config, secrets: ConfigurationFile.secrets(for: purposes))
        // Without a store there are no floors that were drawn on the page; the command says what else is missing.
        if let store = try? configuration.openStore(creating: false) {
            configuration = try configuration.withDrawnFloors(of: store)
        }
        guard let settings = configuration.localisation else { throw NoLocalisation(path: config) }
        return (configuration, settings)
    }
}

/// The models of all buildings with what became of their surveys.
struct CheckedSurvey {
    /// Outcomes by building, in the order of the buildings' paths.
    var buildings: [(building: String, surveyed: SurveyedModel)] = []

    init(_ settings: LocalisationSettings, _ store: InteractionStore) throws {
        let positions = try store.receiverPositions().map { ($0.path, $0.position) }
        let spots = try store.usableSurvey(withModules: settings.learnsFromModules)
        let offsets = try store.usedOffsets()
        for (building, plans) in Dictionary(grouping: settings.plans, by: \.buildingPath).sorted(by: { $0.key < $1.key }
        ) {
            let floors = Set(plans.map(\.path))
            let own = spots.filter { floors.contains($0.floor) }
            if own.isEmpty { continue }
            let model = BuildingModel(plans: plans, receivers: BuildingSites.sites(plans, positions, offsets: offsets))
            buildings.append((building, SurveyedModel(model, own)))
        }
    }

    /// Lines that say what became of each survey.
    var text: [String] {
        buildings.flatMap { building, surveyed -> [String] in
            let findings = SurveyFindings(building, surveyed)
            return ["\(building): survey \(findings.text)"] + Self.table(findings.figures)
                + (findings.unsurveyed.map { [$0] } ?? [])
        }
    }

    private static func table(_ figures: [SurveyFindings.Figure]) -> [String] {
        if figures.isEmpty { return [] }
        var table = TextTable([("", .left), ("WITHOUT", .right), ("WITH", .right)])
        for figure in figures { table.add([figure.label, figure.without, figure.with]) }
        return table.lines(width: Terminal.tableWidth)
    }
}

private struct NoLocalisation: OperatorError {
    var path: String

    var what: String { "\(path) has no [localisation] table" }
    var remedy: String? { "add [localisation] with plan; docs/guide/matcher/floors.md shows one" }
    var exitStatus: BeaconModel.ExitStatus { .configuration }
}
