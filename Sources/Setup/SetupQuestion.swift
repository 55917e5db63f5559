import OperatorText

/// One question of a setup, with the rules for its answer.
package struct SetupQuestion: Sendable {
    package enum Form: Sendable, Equatable {
        case text
        /// Text that is not shown while it is typed, nor afterwards.
        case secret
        case yesNo
        case choice([String])
    }

    /// Key of the answer in an answers file: `place.site`.
    package var key: String
    /// Heading of the group of questions that this one belongs to.
    package var heading: String
    package var text: String
    /// What a person has to know before answering.
    package var explanation: String?
    /// Lines that are shown as they are, such as a table.
    package var details: [String]
    package var form: Form
    /// Answer that is taken when nothing is typed; an empty one means "none".
    package var proposal: String?
    /// Whether the question is never asked: the answers file may answer it, otherwise the proposal counts.
    package var isQuiet: Bool
    /// What is allowed in place of "none"; `nil`: "none" is an answer, if there is a proposal.
    package var needed: String?
    private var rule: @Sendable (String) -> CheckedAnswer

    /// - Parameter rule: checks an answer that is not empty.
    package init(
        _ key: String, heading: String, _ text: String, explanation: String? = nil, details: [String] = [],
        form: Form = .text, proposal: String? = nil, isQuiet: Bool = false,
        rule: @escaping @Sendable (String) -> CheckedAnswer = { .accepted($0) }
    ) {
        self.key = key
        self.heading = heading
        self.text = text
        self.explanation = explanation
        self.details = details
        self.form = form
        self.proposal = proposal
        self.isQuiet = isQuiet
        self.rule = rule
    }

    /// The question as it is written before the place where somebody types.
    package var prompt: String {
        let present =
            switch form {
            case .secret: proposal.map { $0.isEmpty ? " [none]" : " [keep the present one]" } ?? ""
            default: proposal.map { " [\($0.isEmpty ? "none" : $0)]" } ?? ""
            }
        return text + present + ": "
    }

    /// Checks what was typed or is in an answers file.
    package func check(_ typed: String) -> CheckedAnswer {
        let isSecret = form == .secret
        let text = isSecret ? typed : typed.trimmed
        if isNone(typed) {
            if let proposal, text.isEmpty { return .accepted(proposal) }
            if let needed { return .refused(found: "found none", allowed: needed) }
            return proposal == nil ? .refused(found: "is missing", allowed: allowed) : .accepted("")
        }
        switch form {
        case .text, .secret: return rule(text)
        case .yesNo:
            switch text.lowercased() {
            case "yes", "y": return rule("yes")
            case "no", "n": return rule("no")
            default: return .refused(found: Self.found(text), allowed: allowed)
            }
        case .choice(let choices):
            let matching = choices.filter { $0 == text.lowercased() || $0.hasPrefix(text.lowercased()) }
            if choices.contains(text) { return rule(text) }
            guard let choice = matching.first, matching.count == 1 else {
                return .refused(found: Self.found(text), allowed: allowed)
            }
            return rule(choice)
        }
    }

    /// Whether what was typed, or is in an answers file, stands for no value.
    package func isNone(_ typed: String) -> Bool {
        form == .secret ? typed.isEmpty : typed.trimmed.isEmpty || typed.trimmed.lowercased() == "none"
    }

    private var allowed: String {
        switch form {
        case .text: "needs an answer"
        case .secret: "needs an answer, which is not shown"
        case .yesNo: "must be yes or no"
        case .choice(let choices): "must be one of \(choices.joined(separator: ", "))"
        }
    }

    static func found(_ text: String) -> String { "found \(text.excerpt)" }
}

/// What a rule makes of an answer.
package enum CheckedAnswer: Equatable, Sendable {
    /// - Parameter canonical: the answer in its usual form.
    case accepted(_ canonical: String)
    case refused(found: String, allowed: String)
}
