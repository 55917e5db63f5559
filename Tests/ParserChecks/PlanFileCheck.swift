import FloorPlans
import OperatorText

/// A file of floor plans that somebody wrote: what is read can be checked and drawn, and is written so that it reads back.
enum PlanFileCheck: ParserCheck {
    static let name = "floor-plan"

    static func violation(for bytes: [UInt8]) -> String? {
        let contents: FloorPlanFile.Contents
        do throws(ConfigurationError) {
            contents = try FloorPlanFile.contents(of: bytes, path: "f")
        } catch {
            return error.problems.isEmpty ? "an error without problems" : nil
        }
        return violation(in: contents.plans)
    }

    static func violation(in plans: [FloorPlan]) -> String? {
        for problem in FloorPlanCheck.problems(of: plans, receivers: [])
        where problem.found.isEmpty || problem.remedy.isEmpty { return "a problem without text" }
        for plan in plans {
            let svg = FloorPlanDrawing(plan).svg
            if !svg.hasPrefix("<svg ") || !svg.hasSuffix("</svg>\n") { return "a picture that does not end" }
        }
        let text = FloorPlanFile.text(of: plans)
        guard !plans.isEmpty else { return nil }
        return (try? FloorPlanFile.parse(text, path: "f")) == plans ? nil : "a file that reads back differently"
    }
}
