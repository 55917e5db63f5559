/// Page with one message: an error, or what was done.
package struct MessagePage: PageContent {
    package static let template = PageTemplate.message
    package var frame: Frame
    /// Event or problem, in a sentence.
    package var what: String
    /// Remedy, in a sentence.
    package var remedy: String?
    /// Link to the next page.
    package var link: Link?

    package struct Link: Equatable, Sendable {
        package var label: String
        package var path: String

        package init(_ label: String, path: String) {
            self.label = label
            self.path = path
        }
    }

    package init(_ frame: Frame, what: String, remedy: String? = nil, link: Link? = nil) {
        self.frame = frame
        self.what = what
        self.remedy = remedy
        self.link = link
    }
}
