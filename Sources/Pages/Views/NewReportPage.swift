/// Form of a new report, empty or with what was typed and what is wrong with it.
package struct NewReportPage: PageContent {
    package static let template = PageTemplate.newReport
    package var frame: Frame
    package var person: String
    package var personMistake: String?
    /// People of whom one must be chosen.
    package var choices: [Choice]
    package var hasChoices: Bool
    package var test: String
    package var testMistake: String?
    package var onset: String
    package var onsetMistake: String?
    /// The latest day that can be given.
    package var latest: String
    package var isConfirmed: Bool
    package var isSelfReported: Bool
    package var confirmationMistake: String?
    /// Reasons why nothing may follow from the report, to which the officer must agree.
    package var doubts: [String]
    package var hasDoubts: Bool

    /// Person who can be meant.
    package struct Choice: Equatable, Sendable {
        package var name: String
        package var number: String
        /// Further words by which people of one name are told apart.
        package var contact: String
        package var isChosen: Bool

        package init(name: String, number: String, contact: String, isChosen: Bool) {
            self.name = name
            self.number = number
            self.contact = contact
            self.isChosen = isChosen
        }
    }

    /// Values as they were typed.
    package struct Typed: Equatable, Sendable {
        package var person: String
        package var test: String
        package var onset: String
        /// `nil` if nothing was chosen.
        package var isConfirmed: Bool?

        package init(person: String = "", test: String = "", onset: String = "", isConfirmed: Bool? = nil) {
            self.person = person
            self.test = test
            self.onset = onset
            self.isConfirmed = isConfirmed
        }
    }

    /// Mistakes in the values that were typed.
    package struct Mistakes: Equatable, Sendable {
        package var person: String?
        package var choices: [Choice] = []
        package var test: String?
        package var onset: String?
        package var confirmation: String?
        package var doubts: [String] = []

        package init() {}

        /// Whether nothing is wrong. The choices stay in the form when one of them was made.
        package var isEmpty: Bool {
            var others = self
            others.choices = []
            return others == Mistakes()
        }
    }

    package init(_ frame: Frame, typed: Typed, mistakes: Mistakes = Mistakes(), latest: String) {
        self.frame = frame
        person = typed.person
        personMistake = mistakes.person
        choices = mistakes.choices
        hasChoices = !mistakes.choices.isEmpty
        test = typed.test
        testMistake = mistakes.test
        onset = typed.onset
        onsetMistake = mistakes.onset
        self.latest = latest
        isConfirmed = typed.isConfirmed == true
        isSelfReported = typed.isConfirmed == false
        confirmationMistake = mistakes.confirmation
        doubts = mistakes.doubts
        hasDoubts = !mistakes.doubts.isEmpty
    }
}
