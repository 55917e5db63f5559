package import OperatorText

/// An interview: asks the questions of a script in their order, takes answers from a file first, and tests them.
///
/// It has no terminal and does no tests: it returns what to say, ask and test next.
package struct SetupInterview<Script: SetupScript>: Sendable {
    package enum Event: Sendable {
        case started
        /// A line was typed, without its end.
        case typed(String)
        /// Nothing more will be typed.
        case inputEnded
        case tested([DoctorFinding], Script.Knowledge?)
    }

    package enum Effect: Sendable {
        case say(Saying)
        case ask(SetupQuestion)
        case test(Script.Test)
        case finished
        case failed(SetupFailure)
    }

    /// What a person is told.
    package enum Saying: Equatable, Sendable {
        case heading(String)
        case paragraph(String)
        /// A line that is shown as it is.
        case line(String)
        /// An answer that nobody typed.
        case answer(String, String, from: Source)
        case refused(found: String, allowed: String)
        case finding(DoctorFinding)
    }

    package enum Source: String, Sendable {
        case file = "answers file"
        case proposal = "default"
    }

    private enum Phase {
        case idle
        case asking(SetupQuestion)
        case testing(Script.Test)
        case deciding(Script.Test, [DoctorFinding])
    }

    package private(set) var script: Script
    package private(set) var answers = SetupAnswers()
    /// Failures that are kept, and warnings.
    package private(set) var left: [DoctorFinding] = []
    private var given: [String: String]
    /// Name of the file with the answers, for messages.
    private let file: String
    private let keepAnyway: Set<String>
    private let canAsk: Bool
    private var tested: Set<Script.Test> = []
    /// Answers that a test has refused, as proposals.
    private var earlier: [String: String] = [:]
    private var heading: String?
    private var phase = Phase.idle

    /// - Parameters:
    ///   - given: answers of a file, by their keys.
    ///   - file: name of that file, for messages.
    ///   - keepAnyway: names of tests whose failures don't matter.
    ///   - canAsk: whether somebody can answer at a terminal.
    package init(
        _ script: Script, given: [String: String], from file: String = "the answers file", keepAnyway: Set<String>,
        canAsk: Bool
    ) {
        self.script = script
        self.given = given
        self.file = file
        self.keepAnyway = keepAnyway
        self.canAsk = canAsk
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch (phase, event) {
        case (.idle, .started): return advance()
        case (.asking(let question), .typed(let text)): return take(text, question)
        case (.asking(let question), .inputEnded): return [.failed(.inputEnded(question.key))]
        case (.deciding(let test, let findings), .typed(let text)): return decide(text, test, findings)
        case (.deciding, .inputEnded): return [.failed(.stopped)]
        case (.testing(let test), .tested(let findings, let knowledge)):
            if let knowledge { script.learn(knowledge) }
            return judge(findings, test)
        default: return []
        }
    }

    /// Answers what needs nobody, up to the next question or test.
    private mutating func advance() -> [Effect] {
        var effects: [Effect] = []
        // Each answer can lead to other questions, so the steps are asked for anew. There are fewer than this.
        for _ in 0..<10_000 {
            guard let step = next() else { return effects + [.finished] }
            switch step {
            case .test(let test):
                phase = .testing(test)
                return effects + [.test(test)]
            case .question(var question):
                question.proposal = earlier[question.key] ?? question.proposal
                if question.heading != heading, !question.isQuiet {
                    heading = question.heading
                    effects.append(.say(.heading(question.heading)))
                }
                let (more, isAnswered) = answer(question)
                effects += more
                if !isAnswered { return effects }
            }
        }
        return effects + [.failed(.stopped)]
    }

    private func next() -> SetupStep<Script.Test>? {
        script.steps(answers).first { step in
            switch step {
            case .question(let question): answers[question.key] == nil
            case .test(let test): !tested.contains(test)
            }
        }
    }

    private mutating func answer(_ question: SetupQuestion) -> (effects: [Effect], isAnswered: Bool) {
        if let text = given.removeValue(forKey: question.key) {
            switch question.check(text) {
            case .accepted(let answer):
                answers[question.key] = answer
                return ([.say(said(question, answer, from: .file))], true)
            case .refused(let found, let allowed):
                guard canAsk, !question.isQuiet else {
                    let problem = ConfigurationProblem(location: question.key, found: found, allowed: allowed)
                    let others = furtherMistakes(beside: question)
                    return ([.failed(.wrongAnswers([problem] + others, file: file))], false)
                }
                let (asking, _) = ask(question)
                return ([.say(.refused(found: "\(question.key) \(found)", allowed: allowed))] + asking, false)
            }
        }
        if canAsk, !question.isQuiet { return ask(question) }
        guard let proposal = question.proposal else {
            return ([.failed(.missing(question.key, question.text))], false)
        }
        answers[question.key] = proposal
        return (question.isQuiet ? [] : [.say(said(question, proposal, from: .proposal))], true)
    }

    /// Returns the mistakes in answers of the file that come after that to `question`, as far as no test has to tell
    /// what is asked. Proposals stand for answers that are missing or wrong.
    private func furtherMistakes(beside question: SetupQuestion) -> [ConfigurationProblem] {
        var answers = answers
        answers[question.key] = question.proposal ?? ""
        var problems: [ConfigurationProblem] = []
        for _ in 0..<10_000 {
            guard let open = firstQuestion(without: answers) else { break }
            answers[open.key] = open.proposal ?? ""
            guard let text = given[open.key] else { continue }
            switch open.check(text) {
            case .accepted(let answer): answers[open.key] = answer
            case .refused(let found, let allowed):
                // What is never asked may be refused only because of the mistake before, and whether a value is needed
                // may depend on a test.
                guard !open.isQuiet, open.needed == nil || !open.isNone(text) else { continue }
                problems.append(ConfigurationProblem(location: open.key, found: found, allowed: allowed))
            }
        }
        return problems
    }

    private func firstQuestion(without answers: SetupAnswers) -> SetupQuestion? {
        for case .question(let question) in script.steps(answers) where answers[question.key] == nil {
            return question
        }
        return nil
    }

    private mutating func ask(_ question: SetupQuestion) -> (effects: [Effect], isAnswered: Bool) {
        phase = .asking(question)
        var effects: [Effect] = question.details.map { .say(.line($0)) }
        if let explanation = question.explanation { effects.append(.say(.paragraph(explanation))) }
        return (effects + [.ask(question)], false)
    }

    private func said(_ question: SetupQuestion, _ answer: String, from source: Source) -> Saying {
        let shown = question.form == .secret && !answer.isEmpty ? "(not shown)" : answer.isEmpty ? "none" : answer
        return .answer(question.text, shown, from: source)
    }

    private mutating func take(_ text: String, _ question: SetupQuestion) -> [Effect] {
        switch question.check(text) {
        case .accepted(let answer):
            answers[question.key] = answer
            phase = .idle
            return advance()
        case .refused(let found, let allowed):
            return [.say(.refused(found: found, allowed: allowed)), .ask(question)]
        }
    }

    private mutating func judge(_ findings: [DoctorFinding], _ test: Script.Test) -> [Effect] {
        var effects: [Effect] = findings.map { .say(.finding($0)) }
        let failures = findings.filter { $0.severity == .failed }
        if failures.isEmpty || keepAnyway.contains(test.key) {
            return effects + keep(test, findings)
        }
        guard canAsk else { return effects + [.failed(.testFailed(test.key, failures))] }
        phase = .deciding(test, findings)
        effects.append(.ask(Self.decision(test)))
        return effects
    }

    private static func decision(_ test: Script.Test) -> SetupQuestion {
        SetupQuestion(
            "decision", heading: "",
            test.questions.isEmpty
                ? "Test it again, keep it anyway, or stop?" : "Answer again, keep it anyway, or stop?",
            form: .choice(["again", "keep", "stop"]), proposal: "again")
    }

    private mutating func keep(_ test: Script.Test, _ findings: [DoctorFinding]) -> [Effect] {
        tested.insert(test)
        left += findings.filter { $0.severity == .failed || $0.severity == .warning }
        phase = .idle
        return advance()
    }

    private mutating func decide(_ text: String, _ test: Script.Test, _ findings: [DoctorFinding]) -> [Effect] {
        let question = Self.decision(test)
        switch question.check(text) {
        case .refused(let found, let allowed):
            return [.say(.refused(found: found, allowed: allowed)), .ask(question)]
        case .accepted("keep"): return keep(test, findings)
        case .accepted("stop"): return [.failed(.stopped)]
        case .accepted:
            let secrets = script.steps(answers).compactMap { step in
                if case .question(let question) = step, question.form == .secret { question.key } else { nil }
            }
            for key in test.questions {
                if !secrets.contains(key) { earlier[key] = answers[key] }
                answers[key] = nil
                given[key] = nil
            }
            phase = .idle
            return advance()
        }
    }
}
