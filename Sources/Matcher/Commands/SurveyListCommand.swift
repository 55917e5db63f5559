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

struct SurveyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the spots of surveys.")

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: SurveyOptions

    /// A line of `--json`. Lengths are in metres, strengths in dBm.
    private struct Document: Encodable {
        var spot: Int64
        var floor: String
        var room: String?
        var x: Double
        var y: Double
        var time: String
        var seconds: Int64
        var badge: String
        var signals: [Signal]

        struct Signal: Encodable {
            var receiver: String
            var rssi: Double
            var seconds: Int
        }
    }

    func run() async throws {
        try await Terminal.run {
            let (configuration, settings) = try options.read()
            let store = try configuration.openStore(creating: false)
            // The spots name the badges of who measured them.
            try store.noteCommand(.sawSurvey, "list of all spots")
            let spots = try store.surveySpots()
            var table = TextTable([
                ("SPOT", .right), ("FLOOR", .left), ("ROOM", .left), ("X", .right), ("Y", .right), ("TIME", .left),
                ("RECEIVERS", .right), ("BADGE", .left),
            ])
            for (number, spot) in spots.map({ ($0.number, $0.spot) }) {
                let room = spot.room(in: settings.plans)
                if json {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                spot: number, floor: spot.floor, room: room, x: spot.position.x, y: spot.position.y,
                                time: InstantText.utc(spot.startedAt), seconds: spot.length, badge: spot.badge,
                                signals: spot.signals.map {
                                    .init(receiver: $0.receiver, rssi: $0.rssi, seconds: $0.seconds)
                                })))
                    continue
                }
                table.add([
                    "\(number)", spot.floor, room ?? "", Metres.text(spot.position.x), Metres.text(spot.position.y),
                    configuration.days.text(spot.startedAt), "\(spot.signals.count)", spot.badge,
                ])
            }
            if json { return }
            if spots.isEmpty {
                Terminal.note("there is no survey; take one with: beacon-matcher survey take FLOOR --badge BADGE")
                return
            }
            try Terminal.print(table)
        }
    }
}
