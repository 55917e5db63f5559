import MatcherCore
import Matching
import OperatorText
import Pages

/// A person's own status in words. It names days alone, and never says that there is no risk: what was not heard is not
/// known. Pure.
struct StatusWords: Sendable {
    var words: DayWords
    var policy: Policy
    var telling: ExposureTelling

    /// Doubt while nobody has looked who was exposed by some reports.
    private static let unmatched =
        "New reports of positive tests are not compared with everybody's contacts yet. Open this page again in some "
        + "minutes."
    /// Silence after which contacts count as unknown, in seconds.
    private static let silence: Int64 = 86_400

    /// Returns the status of a person with some badges and phones: the highest of their levels.
    ///
    /// - Parameters:
    ///   - told: what each subject is told.
    ///   - heard: when each subject was last heard, in seconds since 1970.
    ///   - changed: when what is told last changed, in seconds since 1970.
    ///   - hasUnmatched: whether nobody has looked yet who was exposed by some reports.
    ///   - now: seconds since 1970.
    func status(
        _ told: [ExposureTelling.Told], subjects: [SubjectIdentity], heard: [SubjectIdentity: Int64], changed: Int64?,
        hasUnmatched: Bool, now: Int64
    ) -> MePage.Status {
        let highest = told.max { ($0.risk.level, $0.risk.value) < ($1.risk.level, $1.risk.value) }
        let level = highest?.risk.level ?? .low
        let days = Set(told.flatMap(\.days)).sorted(by: >)
        let silent = subjects.filter { isSilent(heard[$0], now: now) }
        var doubts = Set(told.flatMap(\.missing)).sorted().map(\.asSentence)
        doubts += silent.map {
            "\(Self.owned($0)) was not heard in the last 24 hours. Contacts since then are not known."
        }
        if hasUnmatched { doubts.append(Self.unmatched) }
        if telling.phoneDelay != nil, subjects.contains(where: { $0.kind == SubjectIdentity.phone }) {
            doubts.append("For a phone, contacts of a day are told when the day is over.")
        }
        let stance = Stance(
            level: level, isExposed: !days.isEmpty, silence: Silence(of: silent.count, among: subjects.count),
            isDoubted: !doubts.isEmpty)
        return MePage.Status(
            symbol: stance.symbol, word: stance.word, sentence: stance.sentence + ruleWord(highest, level),
            since: days.isEmpty
                ? nil : changed.map { "What is known about you last changed on \(words.day(of: $0))." },
            advice: stance.advice, days: days.map { words.day($0) },
            span: "Exposures of the last \(telling.daysTold) days count.", doubts: doubts,
            rules: "They are judged by the rules \(policy.name), version \(policy.version).")
    }

    /// Returns a badge or phone with the day on which it was last heard.
    func device(_ subject: SubjectIdentity, heard: Int64?, now: Int64) -> MePage.Device {
        let isPhone = subject.kind == SubjectIdentity.phone
        let name = isPhone ? "Your phone" : "Your badge"
        return MePage.Device(
            kind: isPhone ? "Phone" : "Badge", id: subject.id,
            heard: heard.map { "\(name) was last heard on \(words.day(of: $0))." }
                ?? "\(name) was not heard as long as this is kept. Check that it works and that it is yours.")
    }

    private func isSilent(_ heard: Int64?, now: Int64) -> Bool { heard.map { now - $0 > Self.silence } ?? true }

    private static func owned(_ subject: SubjectIdentity) -> String {
        subject.kind == SubjectIdentity.phone ? "Your phone" : "Your badge"
    }

    /// Returns the policy's own word for the level, in a sentence; empty if it is the same.
    private func ruleWord(_ told: ExposureTelling.Told?, _ level: RiskLevel) -> String {
        told.flatMap { RiskAdvice.ruleWord(level, label: $0.risk.label) }.map { " " + $0 } ?? ""
    }

    /// How many of a person's badges and phones were not heard lately.
    private enum Silence {
        case none, some, all

        init(of silent: Int, among all: Int) { self = silent == all ? .all : silent > 0 ? .some : .none }
    }

    /// Sentence and advice of a status.
    private struct Stance {
        private static let check = "Wear your badge or carry your phone, and check that its battery works."
        private static let goOn = "Go on wearing your badge or carrying your phone."

        var symbol: String
        var word: StatusWord
        var sentence: String
        var advice: [String]

        /// Chooses the words. That there is nothing to do is said only where nothing is in doubt.
        init(level: RiskLevel, isExposed: Bool, silence: Silence, isDoubted: Bool) {
            let inDoubt = [silence == .none ? Self.goOn : Self.check, RiskAdvice.ifIll]
            switch level {
            case .high:
                (symbol, word) = ("!!", StatusWord("High risk", tone: "bad"))
                (sentence, advice) = (RiskAdvice.sentence(.high), RiskAdvice.steps(.high))
            case .medium:
                (symbol, word) = ("!", StatusWord("Medium risk", tone: "warn"))
                (sentence, advice) = (RiskAdvice.sentence(.medium), RiskAdvice.steps(.medium))
            case .low where isExposed:
                (symbol, word) = ("i", StatusWord("Low risk"))
                (sentence, advice) = (RiskAdvice.sentence(.low), isDoubted ? inDoubt : RiskAdvice.steps(.low))
            case .low where silence == .all:
                (symbol, word) = ("?", StatusWord("Not known", tone: "warn"))
                sentence = "No exposure is known, but you were not heard lately, so your status is not known."
                advice = inDoubt
            case .low:
                (symbol, word) = ("i", StatusWord("No exposure known"))
                sentence =
                    "No contact with somebody who tested positive is known. Contacts that were not heard are not known."
                advice = inDoubt
            }
        }
    }
}
