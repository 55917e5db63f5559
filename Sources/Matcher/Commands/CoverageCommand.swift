import ArgumentParser
import BeaconModel
import CommandSupport
import Evidence
import InteractionStore
import MatcherCore
import MatcherDaemon
import OperatorText
import RecordContract

struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Shows where there are too few receivers to tell contacts apart.",
        discussion: """
            Counts, minute by minute, how many receivers were in reach of each badge. Where fewer than 3 are in reach, \
            another gateway or scanning module helps. On a floor with one receiver, contacts are found only by \
            distances.
            """)

    @OptionGroup var past: PastSpanOptions

    @Flag(help: "Print one JSON document per floor.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let days = configuration.days
            let span = try past.span(in: days)
            let floors = try store.reach(from: span.since, to: span.until) { share in
                Terminal.progress("\(Format.fixed(share * 100, 0)) %")
            }
            Terminal.progress(nil)
            let shown = "from \(days.text(span.since)) to \(days.text(span.until)) \(days.name)"
            guard !floors.isEmpty else {
                throw NoReadings(shown: shown)
            }
            if json {
                for floor in floors { try Terminal.print(JSON.encode(CoverageDocument(floor))) }
                return
            }
            for line in Self.table(floors) { try Terminal.print(line) }
            for note in floors.flatMap(ReachWords.notes) { try Terminal.print(note) }
            Terminal.note("badge minutes \(shown), by the number of receivers on the floor that received the badge")
        }
    }

    private static func table(_ floors: [InteractionStore.FloorReach]) -> [String] {
        var table = TextTable([
            ("FLOOR", .left), ("RECEIVERS", .right), ("BADGE MINUTES", .right), ("BY 1", .right), ("BY 2", .right),
            ("BY 3", .right), ("BY MORE", .right),
        ])
        for floor in floors {
            let total = floor.minutes.reduce(0, +)
            table.add(
                [floor.floor, "\(floor.receivers)", "\(total)"]
                    + floor.minutes.indices.map { ReachWords.share($0, of: floor) })
        }
        return table.lines(width: Terminal.tableWidth)
    }
}

/// Receiver coverage of a floor, for programs.
struct CoverageDocument: Encodable {
    var floor: String
    var receivers: Int
    var badgeMinutes: Int
    var badgeMinutesByReceivers: [String: Int]
    var thin: [Thin]
    var clocks: [Clock]
    var deaf: [String]
    var disbelieved: [String]

    struct Thin: Encodable {
        var receiver: String
        var room: String?
        var badgeMinutes: Int
        /// Badge minutes with fewer than 3 receivers in reach.
        var thinMinutes: Int
    }

    struct Clock: Encodable {
        var receiver: String
        var minutesAhead: Int
    }

    init(_ reach: InteractionStore.FloorReach) {
        floor = reach.floor
        receivers = reach.receivers
        badgeMinutes = reach.minutes.reduce(0, +)
        badgeMinutesByReceivers = Dictionary(
            uniqueKeysWithValues: zip(["1", "2", "3", "4+"], reach.minutes).map { ($0, $1) })
        thin = reach.thin.map {
            Thin(receiver: $0.receiver.path, room: $0.receiver.room, badgeMinutes: $0.of, thinMinutes: $0.minutes)
        }
        clocks = reach.clocks.map { Clock(receiver: $0.receiver.path, minutesAhead: $0.minutes) }
        deaf = reach.deaf.map(\.path)
        disbelieved = reach.disbelieved.map(\.path)
    }
}

private struct NoReadings: OperatorError {
    var shown: String

    var what: String { "the store has no readings \(shown)" }
    var meaning: String? { "it cannot be determined how many receivers are in reach" }
    var remedy: String? {
        "check that gateways publish readings (`beacon-gateway tail`), or specify another time with --from and --to"
    }
    var exitStatus: ExitStatus { .unavailable }
}
