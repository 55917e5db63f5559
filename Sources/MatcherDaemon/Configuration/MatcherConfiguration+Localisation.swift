import BeaconModel
import FloorPlans
import MatcherCore
import Matching
import OperatorText

extension MatcherConfiguration {
    /// Number of warnings about plans that are listed; `floors check` lists all.
    private static let mostWarnings = 20

    /// Reads the table `localisation`, and the file of plans that it names.
    static func readLocalisation(
        _ root: TOMLReader, readFile: (String) throws -> [UInt8], locate: (String) -> String
    ) -> LocalisationSettings? {
        guard let reader = root.table("localisation") else { return nil }
        defer { reader.finish() }
        let isDrawn = !reader.has("plan") && root.has("page")
        if !reader.has("plan"), !isDrawn {
            reader.missing("plan", allowed: "a file of floor plans: \"floors.toml\", unless they are drawn on the page")
        }
        let live = readLive(reader)
        let settled =
            reader.strings("settled").map { kinds($0, "settled", reader) } ?? LivePolicy.locatableKinds
        let stayRetention = reader.integer("settled-retention-days", in: 1...365).map(Int64.init)
        let learnsFromModules = reader.boolean("modules") ?? true
        let answersPhones = reader.boolean("phones") ?? false
        let publishes = reader.boolean("publish") ?? false
        if publishes, !live.isOn {
            reader.report("publish", found: "is true, but live is off", allowed: "needs live = [\"badge\"]")
        }
        func settings(_ path: String?, _ plans: [FloorPlan], _ warnings: [String] = []) -> LocalisationSettings {
            LocalisationSettings(
                planFile: path, plans: plans, warnings: warnings, live: live, settled: settled,
                stayRetention: stayRetention, learnsFromModules: learnsFromModules, answersPhones: answersPhones,
                publishes: publishes)
        }
        if isDrawn { return settings(nil, []) }
        guard let name = reader.string("plan") else { return nil }
        let path = locate(name)
        do {
            let contents = try FloorPlanFile.contents(of: readFile(name), path: path)
            let problems = FloorPlanCheck.problems(of: contents.plans)
            func shown(_ severity: FloorPlanProblem.Severity) -> [ConfigurationProblem] {
                problems.filter { $0.severity == severity }.map { $0.configurationProblem(contents.positions) }
            }
            reader.adopt(shown(.error), of: path)
            let warnings = shown(.warning).map { $0.line(in: path) }
            let omitted = warnings.count - mostWarnings
            return settings(
                path, contents.plans,
                warnings.prefix(mostWarnings)
                    + (omitted > 0
                        ? ["\(path): \(omitted) more warnings; list them with: beacon-matcher floors check"] : []))
        } catch let error as ConfigurationError {
            reader.adopt(error.problems, of: path)
        } catch {
            reader.report("plan", found: error.inOneLine, allowed: "must be a file that this user can read")
        }
        return nil
    }

    private static let mostUUIDs = 64

    /// Reads kinds of subjects that may be located.
    private static func kinds(_ texts: [String], _ key: String, _ reader: TOMLReader) -> Set<String> {
        var kinds: Set<String> = []
        for (index, kind) in texts.enumerated() {
            guard LivePolicy.locatableKinds.contains(kind) else {
                reader.report(
                    "\(key)[\(index)]", found: "found \(kind.excerpt)",
                    allowed: LivePolicy.isPhone(kind)
                        ? "must not be a kind of phones: their carriers have not agreed, so they are never located"
                        : "must be one of \(LivePolicy.locatableKinds.sorted().joined(separator: ", "))")
                continue
            }
            kinds.insert(kind)
        }
        return kinds
    }

    /// Reads which subjects are located live.
    private static func readLive(_ reader: TOMLReader) -> LivePolicy {
        var policy = LivePolicy(kinds: kinds(reader.strings("live") ?? [], "live", reader))
        let uuids = reader.strings("live-uuids") ?? []
        if reader.has("live-uuids"), !(1...mostUUIDs).contains(uuids.count) {
            reader.report("live-uuids", found: "has \(uuids.count) entries", allowed: "must have 1 to \(mostUUIDs)")
        }
        for (index, text) in uuids.enumerated() {
            guard let uuid = ProximityUUID(text) else {
                reader.report("live-uuids[\(index)]", found: "found \(text.excerpt)", allowed: "must be a UUID")
                continue
            }
            policy.uuids.insert(uuid)
        }
        return policy
    }
}
