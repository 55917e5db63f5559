package import FloorPlans
package import Localisation

/// What became of the survey of a building, for the command line and the page. Pure.
package struct SurveyFindings: Equatable, Sendable {
    /// `site/building`.
    package let building: String
    /// What became of the survey, in words.
    package let text: String
    /// How well the spots are found without the survey and with it; empty if nothing was checked.
    package let figures: [Figure]
    /// Which floors do not count as surveyed while something is used, in words; `nil` if there are none.
    package let unsurveyed: String?
    /// Whether nothing was found: the model knows no spot that a receiver of it heard.
    package let isNone: Bool

    /// Figure without the survey and with it.
    package struct Figure: Equatable, Sendable {
        package var label: String
        package var without: String
        package var with: String
    }
}

extension SurveyFindings {
    package init(_ building: String, _ surveyed: SurveyedModel) {
        self.building = building
        text = surveyed.text
        isNone = surveyed.outcome == .none && surveyed.modules == 0
        switch surveyed.outcome {
        case .none, .tooFew: figures = []
        case .refused(let check), .used(let check): figures = Self.figures(check)
        }
        let plans = surveyed.model.plans
        let leftOut = Set(surveyed.leftOut)
        let others = plans.indices.filter { !surveyed.floors.contains($0) && !leftOut.contains($0) }
            .map { plans[$0].path }
        unsurveyed =
            !surveyed.isUsed || others.isEmpty
            ? nil : "not surveyed: \(others.joined(separator: ", ")): half of the rooms need a spot"
    }

    private static func figures(_ check: SurveyCheck) -> [Figure] {
        func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
        return [
            Figure(
                label: "right room", without: percent(check.before.roomAccuracy),
                with: percent(check.after.roomAccuracy)),
            Figure(
                label: "mean error", without: check.before.meanErrorText, with: check.after.meanErrorText),
            Figure(label: "spots", without: "\(check.before.count)", with: "\(check.after.count)"),
        ]
    }
}

extension SurveySpot {
    /// Returns the room in which the spot is; `nil` if it is in none, or its floor has no plan.
    package func room(in plans: [FloorPlan]) -> String? {
        plans.first { $0.path == floor }?.rooms.first { $0.polygon.contains(position) }?.name
    }
}
