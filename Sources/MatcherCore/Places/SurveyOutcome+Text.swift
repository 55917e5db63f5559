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
        // What is used corrects positions before half of the rooms have a spot.
        let place = floors == 0 ? ", but no floor counts as surveyed" : " on \(floors) floor\(floors == 1 ? "" : "s")"
        let fixed = modules == 0 ? "" : "\(modules) module\(modules == 1 ? "" : "s")"
        switch self {
        case .none: return fixed.isEmpty ? "none" : "none, \(fixed) used\(place)"
        case .tooFew(let spots):
            return "not used, \(spots) of at least \(SurveyCheck.leastPositions) spots on a floor"
                + (fixed.isEmpty ? "" : ", \(fixed) used\(place)")
        case .refused(let check):
            return "not used, \(Self.reason(check)): \(Self.errors(check))"
                + (fixed.isEmpty ? "" : ", \(fixed) used\(place)")
        case .used(let check):
            return "used\(fixed.isEmpty ? "" : " with \(fixed)")\(place): \(Self.errors(check))"
        }
    }

    private static func errors(_ check: SurveyCheck) -> String {
        "error \(check.before.meanErrorText) before, \(check.after.meanErrorText) with it"
    }

    /// Returns why a survey is not used: words that fit the errors as they are shown beside it.
    private static func reason(_ check: SurveyCheck) -> String {
        if check.before.meanErrorText == check.after.meanErrorText { return "it does not make positions better" }
        return check.before.meanError < check.after.meanError
            ? "it makes positions worse" : "it does not make true positions more probable"
    }
}

extension SurveyCheck.Figures {
    /// Mean error with a fixed number of digits, because figures stand below each other.
    var meanErrorText: String { Format.fixed(meanError, 1) + " m" }
}

extension SurveyedModel {
    /// What has become of a survey and of modules, in words, with the floors whose survey was left out.
    package var text: String {
        ([outcome.text(floors: floors.count, modules: modules)] + exceptions).joined(separator: "; ")
    }

    /// Whether the model knows something of a survey or of modules.
    var isUsed: Bool {
        if case .used = outcome { return true }
        return modules > 0
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
