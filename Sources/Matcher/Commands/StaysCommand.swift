import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import RecordContract

struct StaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stays", abstract: "Shows where a subject was, by rooms and positions.",
        discussion: """
            Stays are located a few minutes after each quarter of an hour, where the configuration has floor plans. \
            They are kept for localisation.settled-retention-days.
            """)

    @Argument(help: "KIND:ID, such as badge:UUID/MAJOR/MINOR.", transform: MatcherOption.subject)
    var subject: SubjectIdentity

    @OptionGroup var past: PastSpanOptions

    @Flag(help: "Print one JSON document per stay.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`. Lengths are in metres.
    private struct Document: Encodable {
        var start: String
        var end: String
        var floor: String
        var room: String?
        var probability: Double
        var x: Double
        var y: Double
        var radius: Double
        var isSurveyed: Bool
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let days = configuration.days
            let span = try past.span(in: days)
            try store.noteCommand(.sawPerson, subject.description, detail: "with rooms")
            let number = try store.numbers(of: [subject])[subject]
            let stays = try number.map { try store.locatedStays(of: $0, from: span.since, to: span.until) } ?? []
            if json {
                for stay in stays {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                start: InstantText.utc(stay.start), end: InstantText.utc(stay.end), floor: stay.floor,
                                room: stay.room, probability: stay.probability, x: stay.position.x,
                                y: stay.position.y, radius: stay.radius, isSurveyed: stay.isSurveyed)))
                }
                return
            }
            if stays.isEmpty {
                Terminal.note(
                    "no stays of \(subject) from \(days.text(span.since)) to \(days.text(span.until)) \(days.name)")
                return
            }
            var table = TextTable([
                ("FROM (\(days.name))", .left), ("TO", .left), ("FLOOR", .left), ("ROOM", .left),
                ("PROBABILITY", .right), ("X", .right), ("Y", .right), ("WITHIN", .right),
            ])
            for stay in stays {
                table.add([
                    days.text(stay.start), days.text(stay.end), stay.floor, stay.room ?? "(unknown)",
                    "\(Int((stay.probability * 100).rounded())) %", Format.fixed(stay.position.x, 1),
                    Format.fixed(stay.position.y, 1), Format.fixed(stay.radius, 1) + " m",
                ])
            }
            try Terminal.print(table)
        }
    }
}
