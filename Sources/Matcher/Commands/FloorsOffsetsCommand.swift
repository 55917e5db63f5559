import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import MatcherDaemon
import OperatorText
import RecordContract

struct FloorsOffsetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offsets", abstract: "Shows how much more than others receivers report, and goes back.",
        discussion: """
            Every night the daemon learns offsets from how loudly receivers hear each other's modules, and uses them if \
            they predict links that they were not learnt from. --back returns to the version before the present one, \
            and keeps it until --newest.
            """)

    @Option(help: ArgumentHelp("Return to the version before, in this building.", valueName: "site/building"))
    var back: String?

    @Option(help: ArgumentHelp("Use what the last night chose again, in this building.", valueName: "site/building"))
    var newest: String?

    @Flag(help: "Print one JSON document per version.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if back != nil, newest != nil { throw ValidationError("specify either --back or --newest") }
    }

    /// A line of `--json`. Offsets are in dB.
    private struct Document: Encodable {
        var building: String
        var learnt: String
        var isUsed: Bool
        /// Whether no night changes what the building uses, until `--newest`.
        var isPinned: Bool
        var offsets: [String: Double]
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let versions = try store.offsetVersions()
            if let building = back ?? newest {
                guard versions.contains(where: { $0.building == building }) else {
                    let known = Set(versions.map(\.building)).sorted().joined(separator: ", ")
                    throw UnknownName(
                        what: "there are no offsets of \(building.excerpt)",
                        remedy: known.isEmpty ? "the daemon learns them at night" : "there are offsets of \(known)")
                }
                let entry = CommandAudit.entry(
                    .choseOffsets, building, detail: back == nil ? "newest" : "version before")
                let used =
                    try back == nil
                    ? store.useNewestOffsets(in: building, audit: entry) : store.goBack(in: building, audit: entry)
                try Terminal.print(
                    used == 0
                        ? "\(building) uses no offsets"
                        : "\(building) uses the offsets of \(configuration.days.text(used)) \(configuration.days.name)")
                return
            }
            let uses = try store.offsetUses()
            if json {
                let pinned = Set(uses.filter(\.isPinned).map(\.building))
                for version in versions {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                building: version.building, learnt: InstantText.utc(version.learntAt),
                                isUsed: version.isUsed, isPinned: pinned.contains(version.building),
                                offsets: version.offsets)))
                }
                return
            }
            guard !versions.isEmpty else {
                Terminal.note("no offsets have been learnt; the daemon learns them at night")
                return
            }
            for line in Self.table(versions, days: configuration.days) { try Terminal.print(line) }
            for use in uses {
                for line in Self.remarks(use, days: configuration.days) { try Terminal.print(line) }
            }
        }
    }

    /// Returns what the table does not say of a building: that somebody has gone back, and that the last night chose no
    /// offsets.
    private static func remarks(_ use: InteractionStore.OffsetUse, days: CalendarDays) -> [String] {
        var remarks: [String] = []
        if let time = use.noneChosenAt {
            remarks.append("the look of \(days.text(time)) \(days.name) chose no offsets: they predict nothing")
        }
        if use.isPinned {
            let used = use.learntAt.map { "the offsets of \(days.text($0)) \(days.name)" } ?? "no offsets"
            remarks.append("uses \(used) until --newest")
        }
        return remarks.map { "\(use.building): \($0)" }
    }

    private static func table(_ versions: [InteractionStore.OffsetVersion], days: CalendarDays) -> [String] {
        var table = TextTable([
            ("LEARNT (\(days.name))", .left), ("USED", .left), ("RECEIVER", .left), ("OFFSET", .right),
        ])
        for version in versions {
            for (index, (receiver, offset)) in version.offsets.sorted(by: { $0.key < $1.key }).enumerated() {
                table.add([
                    index == 0 ? days.text(version.learntAt) : "", index == 0 ? version.isUsed ? "yes" : "no" : "",
                    receiver, (offset >= 0 ? "+" : "") + Format.fixed(offset, 1) + " dB",
                ])
            }
        }
        return table.lines(width: Terminal.tableWidth)
    }
}
