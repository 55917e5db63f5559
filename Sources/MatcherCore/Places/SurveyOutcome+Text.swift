package import Localisation
import OperatorText

extension SurveyedModel.Outcome {
    /// What has become of a survey, in words.
    package var text: String {
        switch self {
        case .none: "none"
        case .tooFew(let spots): "not used, \(spots) of at least \(SurveyCheck.leastPositions) spots"
        case .refused(let check): "not used, it makes positions worse: \(Self.errors(check))"
        case .used(let check, let floors):
            "used on \(floors.count) floor\(floors.count == 1 ? "" : "s"): \(Self.errors(check))"
        }
    }

    private static func errors(_ check: SurveyCheck) -> String {
        "error \(Metres.text(check.before.meanError)) before, \(Metres.text(check.after.meanError)) with it"
    }
}
