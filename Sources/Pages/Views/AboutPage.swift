/// What the service hears, keeps and shows, for everybody.
package struct AboutPage: PageContent {
    package static let template = PageTemplate.about
    package var frame: Frame
    /// What is heard, in sentences.
    package var heard: [String]
    package var kept: [MePage.Kept]
    package var readers: [Reader]
    /// Who runs the service, as letters name it; `nil` if it is not configured.
    package var sender: String?

    /// Who sees what.
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
