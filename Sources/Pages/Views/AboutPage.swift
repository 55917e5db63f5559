/// Page that states for everybody what the service hears, keeps and shows.
package struct AboutPage: PageContent {
    package static let template = PageTemplate.about
    package var frame: Frame
    /// Data that is received, in sentences.
    package var heard: [String]
    package var kept: [MePage.Kept]
    package var readers: [Reader]
    /// Operator of the service, as letters name it; `nil` if it is not configured.
    package var sender: String?

    /// Groups of readers, with what they see.
    package struct Reader: Equatable, Sendable {
        package var who: String
        package var what: String

        package init(_ who: String, _ what: String) {
            self.who = who
            self.what = what
        }
    }

    package init(_ frame: Frame, heard: [String], kept: [MePage.Kept], readers: [Reader], sender: String?) {
        self.frame = frame
        self.heard = heard
        self.kept = kept
        self.readers = readers
        self.sender = sender
    }
}
