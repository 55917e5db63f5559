import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import SignIn

// The questionnaire about contacts and symptoms. Nobody but the person sees the answers: no other page reads them.
extension PageService {
    private static let noNumber =
        "Your account has no student or staff number, so your answers could not be kept. Ask the person who manages "
        + "the accounts of your institution to add it."

    /// Shows the questionnaire, and what followed from the latest answers.
    func questionnaire(_ request: PageRequest) async throws -> PageAnswer {
        page(try await questionnairePage(request))
    }

    /// Saves the answers of the person who is signed in, and shows what follows from them.
    func answerQuestionnaire(_ request: PageRequest) async throws -> PageAnswer {
        guard let number = try ownNumber(request) else {
            return page(try await questionnairePage(request), status: .unprocessableContent)
        }
        guard let answers = QuestionnaireAnswers(fields: request.form) else {
            var content = try await questionnairePage(request)
            content.result = nil
            content.mistake = "An answer is missing, so nothing was saved. Answer all questions."
            content.questions = Self.questions { request.form[$0] }
            return page(content, status: .unprocessableContent)
        }
        let answered = StoredQuestionnaire(
            day: configuration.days.day(of: request.now), answers: answers.text,
            result: Questionnaire.result(of: answers).level.rawValue, at: request.now)
        try await api.work { try $0.save(answered, number: number) }
        return .redirect(PageRoute.questionnaire.path(done: .answered))
    }

    /// Returns what a person's own page says of the questionnaire.
    func asked(_ last: StoredQuestionnaire?, isExposed: Bool, now: Int64) -> MePage.Asked {
        let day = configuration.days.day(of: now)
        let latest = last.flatMap { last in
            QuestionnaireAnswers(text: last.answers).map { (day: last.day, answers: $0) }
        }
        if Questionnaire.isAsked(on: day, last: latest, isExposed: isExposed) {
            return MePage.Asked("Answer it today: do you have symptoms, and were you near somebody?", isDue: true)
        }
        guard let known = latest else {
            return MePage.Asked("If you have symptoms, it tells you what to do.", isDue: false)
        }
        let word = Self.word(Questionnaire.result(of: known.answers).level).word.word.lowercased()
        return MePage.Asked(
            "Your answers from \(DayWords(days: configuration.days).day(known.day)): \(word).", isDue: false)
    }

    private func questionnairePage(_ request: PageRequest) async throws -> QuestionnairePage {
        let days = configuration.reports.retention
        let kept = "They are deleted after \(days == 1 ? "1 day" : "\(days) days"), and when you delete your data."
        let frame = request.frame("Questionnaire", route: .me)
        guard let number = try ownNumber(request) else {
            return QuestionnairePage(frame, obstacle: Self.noNumber, kept: kept)
        }
        let stored = try await api.work { try $0.questionnaires(of: number) }
        let words = DayWords(days: configuration.days)
        let known = stored.compactMap { one in
            QuestionnaireAnswers(text: one.answers).map { (day: one.day, answers: $0) }
        }
        let day = configuration.days.day(of: request.now)
        let today = known.first { $0.day == day }
        let earlier = known.filter { $0.day != day }
        return QuestionnairePage(
            frame, result: today.map { Self.result($0.answers, day: words.day($0.day)) },
            questions: Self.questions { name in
                if let today { return today.answers.answer(to: name) }
                return name == QuestionnaireAnswers.contactName ? nil : Symptom.Severity.absent.rawValue
            },
            history: earlier.map {
                QuestionnairePage.Day(
                    day: words.day($0.day), word: Self.word(Questionnaire.result(of: $0.answers).level).word)
            }, kept: kept)
    }

    private static func result(_ answers: QuestionnaireAnswers, day: String) -> QuestionnairePage.Result {
        let result = Questionnaire.result(of: answers)
        let (symbol, word) = Self.word(result.level)
        return QuestionnairePage.Result(
            day: day, symbol: symbol, word: word, reasons: result.reasons, advice: result.advice)
    }

    /// Returns a level with a symbol for those who do not see colours.
    private static func word(_ level: RiskLevel) -> (symbol: String, word: StatusWord) {
        switch level {
        case .high: ("!!", StatusWord("High risk", tone: "bad"))
        case .medium: ("!", StatusWord("Medium risk", tone: "warn"))
        case .low: ("i", StatusWord("Low risk"))
        }
    }

    /// Returns all questions.
    ///
    /// - Parameter answer: returns the chosen answer to a question by its name; `nil` if none is.
    private static func questions(_ answer: (String) -> String?) -> [QuestionnairePage.Question] {
        let contact = QuestionnairePage.Question(
            name: QuestionnaireAnswers.contactName, text: Questionnaire.contactQuestion,
            choices: QuestionnaireAnswers.Contact.allCases.map {
                QuestionnairePage.Choice(
                    $0.rawValue, $0.text, isChosen: $0.rawValue == answer(QuestionnaireAnswers.contactName))
            })
        return [contact]
            + Symptom.allCases.map { symptom in
                QuestionnairePage.Question(
                    name: symptom.rawValue, text: symptom.text,
                    choices: Symptom.Severity.allCases.map {
                        QuestionnairePage.Choice(
                            $0.rawValue, $0.text, isChosen: $0.rawValue == answer(symptom.rawValue))
                    })
            }
    }
}

extension QuestionnaireAnswers {
    /// Returns the answer to a question by its name.
    fileprivate func answer(to name: String) -> String? {
        if name == Self.contactName { return contact.rawValue }
        return Symptom(rawValue: name).map { (symptoms[$0] ?? .absent).rawValue }
    }
}
