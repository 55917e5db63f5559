/// Form of a report that an officer files: as it was typed or suggested, with what is wrong with it.
package struct ReportForm: Equatable, Sendable {
    package var person: TypedField
    /// People of whom one must be chosen.
    package var choices: [Choice] = []
    package var test: TypedField
    package var onset: TypedField
    /// `nil` if nothing was chosen.
    package var isConfirmed: Bool?
    package var confirmationMistake: String?
    /// Reasons why nothing may follow from the report, to which the officer must agree.
    package var doubts: [String] = []

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

    package init(person: String = "", test: String = "", onset: String = "", isConfirmed: Bool? = nil) {
        self.person = TypedField(person)
        self.test = TypedField(test)
        self.onset = TypedField(onset)
        self.isConfirmed = isConfirmed
    }

    /// Whether something is wrong. The choices stay in the form when one of them was made.
    package var hasMistakes: Bool {
        [person, test, onset].contains { $0.mistake != nil } || confirmationMistake != nil || !doubts.isEmpty
    }
}
