import BeaconModel
import FloorPlans
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
        if !reader.has("plan") { reader.missing("plan", allowed: "a file of floor plans: \"floors.toml\"") }
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
            return LocalisationSettings(
                planFile: path, plans: contents.plans,
                warnings: warnings.prefix(mostWarnings)
                    + (omitted > 0
                        ? ["\(path): \(omitted) more warnings; list them with: beacon-matcher floors check"] : []))
        } catch let error as ConfigurationError {
            reader.adopt(error.problems, of: path)
        } catch {
            reader.report("plan", found: error.inOneLine, allowed: "must be a file that this user can read")
        }
        return nil
    }
}
