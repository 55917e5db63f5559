/// Symptom that the questionnaire asks about.
package enum Symptom: String, CaseIterable, Comparable, Sendable {
    case fever, cough
    case breathlessness = "short-of-breath"
    case loss = "loss-of-smell-or-taste"
    case throat = "sore-throat"
    case nose = "runny-nose"
    case headache
    case aches
    case tiredness

    /// Strength of a symptom.
    package enum Severity: String, CaseIterable, Comparable, Sendable {
        case absent = "none"
        case mild, severe

        /// The answer in words.
        package var text: String {
            switch self {
            case .absent: "No"
            case .mild: "Mild"
            case .severe: "Severe"
            }
        }

        package static func < (one: Self, other: Self) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// Whether the symptom is typical of the infection. Others are common to many illnesses.
    package var isTypical: Bool {
        switch self {
        case .fever, .cough, .breathlessness, .loss: true
        case .throat, .nose, .headache, .aches, .tiredness: false
        }
    }

    /// The symptom in words, as a question has it.
    package var text: String {
        switch self {
        case .fever: "Fever or chills"
        case .cough: "New cough"
        case .breathlessness: "Shortness of breath"
        case .loss: "Loss of smell or taste"
        case .throat: "Sore throat"
        case .nose: "Runny or blocked nose"
        case .headache: "Headache"
        case .aches: "Aching muscles"
        case .tiredness: "New tiredness"
        }
    }

    /// In the order of the questions.
    package static func < (one: Self, other: Self) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
}
