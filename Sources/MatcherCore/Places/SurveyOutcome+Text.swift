import FloorPlans
package import Localisation
import OperatorText

extension SurveyedModel.Outcome {
    /// Returns what has become of a survey, in words.
    ///
    /// - Parameters:
    ///   - floors: number of floors that count as surveyed.
    ///   - modules: number of modules that are used.
    package func text(floors: Int, modules: Int) -> String {
        let place = " on \(floors) floor\(floors == 1 ? "" : "s")"
        let fixed = modules == 0 ? "" : "\(modules) module\(modules == 1 ? "" : "s")"
        switch self {
        case .none: return fixed.isEmpty ? "none" : "none, \(fixed) used\(place)"
        case .tooFew(let spots):
            return "not used, \(spots) of at least \(SurveyCheck.leastPositions) spots on a floor"
                + (fixed.isEmpty ? "" : ", \(fixed) used\(place)")
        case .refused(let check):
            return "not used, it makes positions worse: \(Self.errors(check))"
                + (fixed.isEmpty ? "" : ", \(fixed) used\(place)")
        case .used(let check):
            return "used\(fixed.isEmpty ? "" : " with \(fixed)")\(place): \(Self.errors(check))"
        }
    }

    private static func errors(_ check: SurveyCheck) -> String {
        "error \(Metres.text(check.before.meanError)) before, \(Metres.text(check.after.meanError)) with it"
    }
}

extension SurveyedModel {
    /// What has become of a survey and of modules, in words, with the floors whose survey was left out.
    package var text: String {
        ([outcome.text(floors: floors.count, modules: modules)] + exceptions).joined(separator: "; ")
    }

    /// Floors of which more is to be said than of the building.
    private var exceptions: [String] {
        if case .tooFew = outcome { return [] }
        return leftOut.compactMap { floor -> String? in
            guard let own = outcomes[floor], own != outcome else { return nil }
            return "\(model.plans[floor].path) \(own.text(floors: 0, modules: 0))"
        }
    }
}
