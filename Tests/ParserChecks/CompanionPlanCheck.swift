import FloorPlans
import OperatorText
import PlanImport

/// The configuration of ESPresense-companion: what is imported is a good file of floor plans.
enum CompanionPlanCheck: ParserCheck {
    static let name = "companion-plan"

    static func violation(for bytes: [UInt8]) -> String? {
        let result: CompanionImport
        do throws(ConfigurationError) {
            result = try CompanionConverter.convert(
                YAMLTree.parse(bytes, path: "c"), path: "c", site: "s", building: "b")
        } catch {
            return error.problems.isEmpty ? "an error without problems" : nil
        }
        return PlanFileCheck.violation(in: result.plans)
    }
}
