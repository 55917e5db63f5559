import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import MatcherDaemon
import OperatorText
import RecordContract

struct FloorsSuggestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Suggests where receivers without a position hang.",
        discussion: """
            Gateways hear each other's modules. Distances, walls and the rooms that gateways name give each missing \
            position, with the radius that holds it in nine of ten cases. Positions that do not agree with what is \
            heard are named. Nothing is changed: confirm a position on the floor, measure it, and enter it in the \
            configuration of the gateway.
            """)

    @Argument(help: "Only this floor: SITE/BUILDING/FLOOR, or the end of it.")
    var floor: String?

    @Option(help: ArgumentHelp("A file of floor plans (default: that of the configuration).", valueName: "file"))
    var plan: String?

    @OptionGroup var past: PastSpanOptions

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let opened = try FloorPlanOptions.plans(
                [plan].compactMap(\.self), of: configuration, path: options.config)
            let asked = try floor.map { try opened.plan($0).path }
            try opened.refuseErrors()
            let days = configuration.days
            let span = try past.span(in: days)
            let store = try configuration.openStore(creating: false)
            let levels = try store.mutualHearing(from: span.since, to: span.until)
            guard !levels.isEmpty else {
                throw NothingMutual(
                    shown: "from \(days.text(span.since)) to \(days.text(span.until)) \(days.name)")
            }
            let placements = SuggestedPlacements(
                plans: opened.plans, receivers: try store.receiverPositions(), levels: levels, floor: asked)
            if json {
                for document in placements.documents { try Terminal.print(JSON.encode(document)) }
                return
            }
            for line in placements.table(width: Terminal.tableWidth) { try Terminal.print(line) }
            for line in placements.configuration { try Terminal.print(line) }
            for note in placements.notes { Terminal.note(note) }
        }
    }
}

private struct NothingMutual: OperatorError {
    var shown: String

    var what: String { "no receiver heard the beacon of another one \(shown)" }
    var meaning: String? { "it cannot be determined where receivers hang" }
    var remedy: String? {
        "check that each gateway names one of its modules as [place] beacon, that the beacons are accepted "
            + "(`beacon-matcher places list`), or specify another time with --from and --to"
    }
    var exitStatus: BeaconModel.ExitStatus { .unavailable }
}
