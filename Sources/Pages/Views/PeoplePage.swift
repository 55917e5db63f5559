/// Search for a person.
package struct PeoplePage: PageContent {
    package static let template = PageTemplate.people
    package var frame: Frame
    /// Text that was searched for.
    package var query: String
    /// Summary of the search, in sentences.
    package var summary: String?
    package var people: [Row]
    package var hasPeople: Bool
    /// Mistakes in a list that was uploaded.
    package var reviews: [UploadReview]

    /// Person who can be meant.
    package struct Row: Equatable, Sendable {
        package var person: PersonLink
        package var contact: String

        package init(person: PersonLink, contact: String) {
            self.person = person
            self.contact = contact
        }
    }

    package init(_ frame: Frame, query: String, summary: String?, people: [Row] = [], reviews: [UploadReview] = []) {
        self.frame = frame
        self.query = query
        self.summary = summary
        self.people = people
        hasPeople = !people.isEmpty
        self.reviews = reviews
    }
}
