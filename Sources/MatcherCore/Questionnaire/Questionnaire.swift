package import Matching

/// Questionnaire about contacts and symptoms, with a level of risk by documented rules. Pure.
///
/// Further, the app whose rules the policy `further` follows, asks for contact and symptoms, says low, medium or high,
/// and asks again daily. Its published description has the questions and the levels, and no weights. The rules below
/// are therefore this project's own, in the spirit of that description: a contact or a typical symptom alone is
/// medium, both together, or a severe typical symptom, are high. They are no diagnosis, and the page says so.
package enum Questionnaire {
    /// Question about contacts.
    package static let contactQuestion = "Were you near somebody who tested positive in the last 14 days?"

    /// Rule by which answers have a level.
    package struct Rule: Sendable {
        package var level: RiskLevel
        /// Reason for the level, in a sentence.
        package var reason: String
        package var applies: @Sendable (QuestionnaireAnswers) -> Bool
    }

    /// All rules. The highest level of those that apply counts; `low` if none does.
    package static let rules: [Rule] = [
        Rule(level: .high, reason: "You have a severe symptom that is typical of the infection.") {
            $0.worst(isTypical: true) == .severe
        },
        Rule(
            level: .high,
            reason: "You were near somebody who tested positive, and have a symptom that is typical of the infection."
        ) { $0.contact == .yes && $0.worst(isTypical: true) > .absent },
        Rule(level: .medium, reason: "You were near somebody who tested positive.") { $0.contact == .yes },
        Rule(level: .medium, reason: "You have a symptom that is typical of the infection.") {
            $0.worst(isTypical: true) > .absent
        },
        Rule(level: .medium, reason: "You have a severe symptom that is not typical of the infection.") {
            $0.worst(isTypical: false) == .severe
        },
        Rule(
            level: .medium,
            reason: "You have a symptom, and do not know whether you were near somebody who tested positive."
        ) { $0.contact == .unknown && !$0.symptoms.isEmpty },
    ]

    /// Level that follows from answers.
    package struct Result: Equatable, Sendable {
        package var level: RiskLevel
        /// Reasons for the level, in sentences.
        package var reasons: [String]
        /// Advice, in sentences.
        package var advice: [String]
    }

    /// Returns the level that follows from answers, with the reasons of that level.
    package static func result(of answers: QuestionnaireAnswers) -> Result {
        let applying = rules.filter { $0.applies(answers) }
        let level = applying.map(\.level).max() ?? .low
        var reasons = applying.filter { $0.level == level }.map(\.reason)
        if reasons.isEmpty {
            reasons = [
                answers.symptoms.isEmpty
                    ? "You have no symptoms, and know of no contact with somebody who tested positive."
                    : "Your symptoms are mild and not typical of the infection, and you had no contact."
            ]
        }
        return Result(level: level, reasons: reasons, advice: advice(level, answers))
    }

    /// Whether the questionnaire is asked on a day: daily while it matters, which is after an exposure, and while the
    /// last answers had symptoms or more than a low level.
    ///
    /// - Parameters:
    ///   - day: present day in days since 1970.
    ///   - last: the latest answers with their day; `nil` if there are none.
    ///   - isExposed: whether an exposure is known that still counts.
    package static func isAsked(
        on day: Int64, last: (day: Int64, answers: QuestionnaireAnswers)?, isExposed: Bool
    ) -> Bool {
        guard let last else { return isExposed }
        if last.day >= day { return false }
        // Answers of long ago say nothing about today.
        let isRecent = day - last.day <= daysAsked
        let matters = !last.answers.symptoms.isEmpty || result(of: last.answers).level > .low
        return isExposed || isRecent && matters
    }

    /// Number of days after the last answers for which symptoms are asked about again.
    package static let daysAsked: Int64 = 14

    private static func advice(_ level: RiskLevel, _ answers: QuestionnaireAnswers) -> [String] {
        var advice: [String] = []
        if answers.symptoms[.breathlessness] == .severe {
            advice.append("If it is hard to breathe, call the emergency number now.")
        }
        switch level {
        case .high:
            advice += [
                "Stay at home, and avoid contact with others.",
                "Call your doctor or the health office, and get a test.",
            ]
        case .medium:
            advice += ["Get a test, and avoid contact with others until you know its result.", RiskAdvice.ifIll]
        case .low: advice += ["You do not need to do anything now.", RiskAdvice.ifIll]
        }
        return advice
    }
}

extension QuestionnaireAnswers {
    /// Returns how strong the strongest symptom is, of those that are typical or of the others.
    fileprivate func worst(isTypical: Bool) -> Symptom.Severity {
        symptoms.filter { $0.key.isTypical == isTypical }.values.max() ?? .absent
    }
}
