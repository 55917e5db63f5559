/// Receivers that were in reach of badges, floor by floor.
package struct CoveragePage: PageContent {
    package static let template = PageTemplate.coverage
    package var frame: Frame
    /// Time that was looked at, in a sentence.
    package var span: String
    package var floors: [Floor]
    /// Problems of the receivers, each with what to do.
    package var notes: [String]
    package var hasNotes: Bool

    package struct Floor: Equatable, Sendable {
        package var floor: String
        package var receivers: String
        package var minutes: String
        /// Shares of the minutes that one, two, three and more receivers received.
        package var byOne: String
        package var byTwo: String
        package var byThree: String
        package var byMore: String

        package init(
            floor: String, receivers: String, minutes: String, byOne: String, byTwo: String, byThree: String,
            byMore: String
        ) {
            self.floor = floor
            self.receivers = receivers
            self.minutes = minutes
            self.byOne = byOne
            self.byTwo = byTwo
            self.byThree = byThree
            self.byMore = byMore
        }
    }

    package init(_ frame: Frame, span: String, floors: [Floor], notes: [String]) {
        self.frame = frame
        self.span = span
        self.floors = floors
        self.notes = notes
        hasNotes = !notes.isEmpty
    }
}
