/// Check-in to a lecture: the room, and what became of the last try.
package struct CheckInPage: PageContent {
    package static let template = PageTemplate.checkIn
    package var frame: Frame
    /// Reason why nobody can check in here, in a sentence; `nil` if the person can.
    package var obstacle: String?
    package var room: String
    package var answer: Answer?
    /// Rule on when students can check in, in a sentence.
    package var rule: String
    /// Check-ins of the last hours, the latest first.
    package var signed: [String]

    /// Reason why a check-in was refused.
    package struct Answer: Equatable, Sendable {
        package var word: String
        package var sentence: String
        package var remedy: String

        package init(_ word: String, sentence: String, remedy: String) {
            self.word = word
            self.sentence = sentence
            self.remedy = remedy
        }
    }

    package init(
        _ frame: Frame, obstacle: String? = nil, room: String = "", answer: Answer? = nil, rule: String = "",
        signed: [String] = []
    ) {
        self.frame = frame
        self.obstacle = obstacle
        self.room = room
        self.answer = answer
        self.rule = rule
        self.signed = signed
    }
}
