package import Matching

/// Meaning of a level of risk, and advice, as a person is told: the same on the page, in letters and in e-mails. Pure.
package enum RiskAdvice {
    package static let ifIll = "If you have symptoms, stay away from others and get a test."

    /// Returns what a level means for somebody who was exposed, in a sentence.
    package static func sentence(_ level: RiskLevel) -> String {
        switch level {
        case .high: "You were exposed to somebody who tested positive."
        case .medium: "You may have been exposed to somebody who tested positive."
        case .low: "Contacts with somebody who tested positive are known; by the rules their risk is low."
        }
    }

    /// Returns what to do, in sentences.
    package static func steps(_ level: RiskLevel) -> [String] {
        switch level {
        case .high:
            [
                "Stay at home, and avoid contact with others.",
                "Contact the health office. It tells you when to get a test and how long to stay at home.",
            ]
        case .medium:
            ["Watch for symptoms in the next days.", "Get a test, even if you feel well.", ifIll]
        case .low: ["You do not need to do anything now.", ifIll]
        }
    }

    /// Returns the policy's own word for a level, in a sentence; `nil` if it is the same.
    package static func ruleWord(_ level: RiskLevel, label: String) -> String? {
        level > .low && !label.isEmpty && label != level.rawValue ? "The rules call this \"\(label)\"." : nil
    }
}
