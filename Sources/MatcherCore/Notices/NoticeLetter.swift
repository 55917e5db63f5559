import Matching
import OperatorText

/// Notice to a person who has no app, for a sheet of paper or an e-mail. It says what the person's own page says: a
/// level and days, without places, other people and times of day. Pure.
package struct NoticeLetter: Equatable, Sendable {
    /// Name of the person.
    package let name: String
    /// Findings about the person, in sentences.
    package let findings: [String]
    /// Days with exposures, the latest first.
    package let days: [String]
    /// Advice, in sentences.
    package let steps: [String]
    /// Who sends the letter.
    package let sender: String

    /// Maximum number of columns of a line.
    private static let width = 72
    private static let longestName = 200

    /// Explanation that is the same for everybody.
    package static let reason =
        "This notice follows from records of badges and phones. It names neither places nor people, because it may be "
        + "read by others, and because they have a right to privacy."

    /// Creates the letter for a person.
    ///
    /// - Parameters:
    ///   - told: what each badge and phone of the person is told.
    ///   - day: returns a day as people read it, given in days since 1970.
    /// - Returns: `nil` if there is nothing to tell.
    package init?(to name: String, told: [ExposureTelling.Told], sender: String, day: (Int64) -> String) {
        let told = told.filter { !$0.risk.exposures.isEmpty && !$0.days.isEmpty }
        let highest = told.max { ($0.risk.level, $0.risk.value) < ($1.risk.level, $1.risk.value) }
        guard let risk = highest?.risk else { return nil }
        self.name = name.shown(upTo: Self.longestName)
        self.sender = sender.shown(upTo: Self.longestName)
        let word = RiskAdvice.ruleWord(risk.level, label: risk.label.shown(upTo: Self.longestName))
        let isDoubtful = told.contains(where: \.clockIsDoubtful)
        var findings = [RiskAdvice.sentence(risk.level)]
        if risk.level > .low { findings.append("Your risk is \(risk.level.rawValue).") }
        if let word { findings.append(word) }
        if isDoubtful { findings.append("A clock of a receiver was wrong at that time, so the days may be wrong.") }
        self.findings = findings
        days = Set(told.flatMap(\.days)).sorted(by: >).map(day)
        steps = RiskAdvice.steps(risk.level)
    }

    /// Subject of the e-mail. It says nothing about health: it may be read on a locked screen.
    package var subject: String { "Notice from \(sender)" }

    /// The letter as plain text in lines of at most 72 columns, as far as words are not longer.
    package var text: String {
        let parts = [
            "Dear \(name),", findings.joined(separator: " "),
            (["Days with exposures:"] + days.map { "- \($0)" }).joined(separator: "\n"),
            (["What to do:"] + steps.map { Self.wrapped("- \($0)", indent: "  ") }).joined(separator: "\n"),
            Self.reason, sender,
        ]
        return parts.map { $0.contains("\n") ? $0 : Self.wrapped($0) }.joined(separator: "\n\n")
    }

    /// Returns a paragraph in lines.
    private static func wrapped(_ text: String, indent: String = "") -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append((lines.isEmpty ? "" : indent) + word)
            }
        }
        return lines.joined(separator: "\n")
    }
}
