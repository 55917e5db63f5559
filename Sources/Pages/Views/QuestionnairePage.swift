/// Questionnaire about contacts and symptoms, with what followed from the latest answers. Only the person sees it.
package struct QuestionnairePage: PageContent {
    package static let template = PageTemplate.questionnaire
    package var frame: Frame
    /// Reason why the questionnaire cannot be used, in a sentence; `nil` if it can.
    package var obstacle: String?
    /// Mistake in the answers that were sent.
    package var mistake: String?
    package var result: Result?
    package var questions: [Question]
    /// Earlier answers, the latest first.
    package var history: [Day]
    /// Retention of answers, in a sentence.
    package var kept: String

    package struct Question: Equatable, Sendable {
        package var name: String
        package var text: String
        package var choices: [Choice]

        package init(name: String, text: String, choices: [Choice]) {
            self.name = name
            self.text = text
            self.choices = choices
        }
    }

    package struct Choice: Equatable, Sendable {
        package var value: String
        package var label: String
        package var isChosen: Bool

        package init(_ value: String, _ label: String, isChosen: Bool) {
            self.value = value
            self.label = label
            self.isChosen = isChosen
        }
    }

    /// Result of the answers.
    package struct Result: Equatable, Sendable {
        package var day: String
        /// Symbol beside the word, for those who do not see colours.
        package var symbol: String
        package var word: StatusWord
        package var reasons: [String]
        package var advice: [String]

        package init(day: String, symbol: String, word: StatusWord, reasons: [String], advice: [String]) {
            self.day = day
            self.symbol = symbol
            self.word = word
            self.reasons = reasons
            self.advice = advice
        }
    }

    /// Level of an earlier day.
    package struct Day: Equatable, Sendable {
        package var day: String
        package var word: StatusWord

        package init(day: String, word: StatusWord) {
            self.day = day
            self.word = word
        }
    }

    package init(
        _ frame: Frame, obstacle: String? = nil, mistake: String? = nil, result: Result? = nil,
        questions: [Question] = [], history: [Day] = [], kept: String
    ) {
        self.frame = frame
        self.obstacle = obstacle
        self.mistake = mistake
        self.result = result
        self.questions = questions
        self.history = history
        self.kept = kept
    }
}
