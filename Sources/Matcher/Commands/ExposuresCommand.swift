import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MQTTBridge
import Matching
import OperatorText
import SystemIO

struct ExposuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposures", abstract: "Who was exposed to somebody who is positive, by which policy, and why.")

    @Option(
        help: ArgumentHelp(
            "Who is positive, KIND:ID; several for the devices of one person: badge:UUID/MAJOR/MINOR, phone:ID.",
            valueName: "subject"), transform: MatcherOption.subject)
    var positive: [SubjectIdentity]

    @Option(
        help: ArgumentHelp("Since when; what the policy looks back on if it isn't given.", valueName: "time"),
        transform: MatcherOption.time)
    var from: Int64?

    @Option(
        help: ArgumentHelp("Until when; now if it isn't given.", valueName: "time"), transform: MatcherOption.time)
    var to: Int64?

    @Option(help: ArgumentHelp("The name of a policy (default: the configuration's).", valueName: "name"))
    var policy: String?

    @Option(
        help: ArgumentHelp("The day on which symptoms began.", valueName: "day"), transform: MatcherOption.day)
    var onset: Int64?

    @Option(help: ArgumentHelp("The day of the test.", valueName: "day"), transform: MatcherOption.day)
    var testDate: Int64?

    @Flag(help: "Nobody vouches for the report: most policies then have nothing follow from it.")
    var selfReported = false

    @Flag(
        help: ArgumentHelp(
            "Also whom this one alone puts at no risk: by policies that add up a day's minutes, those below what is a risk."
        ))
    var all = false

    @Flag(help: "One JSON document a line, with the whole explanation.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if let from, let to, from > to { throw ValidationError("--from must not be after --to.") }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let policy = try chosenPolicy(configuration)
            let store = try InteractionStore.open(
                configuration.store, retention: configuration.retention, creating: false)
            let until = to ?? WallClock.now().microseconds / 1_000_000
            let search = ExposureSearch(
                subjects: positive,
                positive: PositiveCase(
                    reportType: selfReported ? .selfReported : .confirmed, onset: onset, test: testDate),
                since: from ?? until - policy.risk.days * 86_400, until: until, policy: policy)
            let unknown = try store.numbers(of: positive)
            for subject in positive where unknown[subject] == nil {
                Terminal.note("\(subject) was never heard by a gateway of this store")
            }
            let found = try search.run(store)
            let exposures = all ? found : search.told(found)
            if exposures.count < found.count {
                let more = found.count - exposures.count
                Terminal.note(
                    "\(more) more \(more == 1 ? "stays" : "stay") below what \(policy.name) calls a risk, by this report "
                        + "alone; --all shows \(more == 1 ? "it" : "them")")
            }
            let names = try ExposureNames(exposures, store: store)
            if json {
                for exposure in exposures {
                    try Terminal.print(
                        JSON.encode(
                            ExposureDocument(exposure, positive: positive, policy: policy, names: names)))
                }
                return
            }
            for line in Self.table(exposures, names) { try Terminal.print(line) }
            let people = Set(exposures.map(\.subject)).count
            Terminal.note(
                "\(exposures.count) \(exposures.count == 1 ? "exposure" : "exposures") of \(people) "
                    + "\(people == 1 ? "subject" : "subjects") by \(policy.name), version \(policy.version); "
                    + "--json says why")
        }
    }

    private func chosenPolicy(_ configuration: MatcherConfiguration) throws -> Policy {
        guard let name = policy else { return configuration.policy }
        guard let chosen = configuration.policies[name] else {
            throw UnknownPolicy(name: name, known: configuration.policies.keys.sorted())
        }
        return chosen
    }

    private static func table(_ exposures: [Exposure], _ names: ExposureNames) -> [String] {
        if exposures.isEmpty { return [] }
        var table = TextTable([
            ("SUBJECT", .left), ("PLACE", .left), ("FROM", .left), ("TO", .left), ("MINUTES", .right),
            ("METRES APART", .right), ("PROBABILITY", .right),
        ])
        for exposure in exposures {
            let place = names.places[exposure.place]
            let lower = Format.fixed(Double(exposure.range.lowerBound) / 100, 1)
            let upper = Format.fixed(Double(exposure.range.upperBound) / 100, 1)
            table.add([
                names.subject(exposure.subject).description, place.map { $0.room ?? $0.key } ?? "?",
                InstantText.utc(exposure.start), InstantText.utc(exposure.end),
                Format.fixed(exposure.minutes, 1), "\(lower) to \(upper)",
                Format.fixed(exposure.probability * 100, 0) + " %",
            ])
        }
        return table.lines
    }
}
