/// Page that asks once more before a module is reset.
package struct ResetPage: PageContent {
    package static let template = PageTemplate.reset
    package var frame: Frame
    /// `site/building/floor/gateway`.
    package var place: String
    package var module: String
    /// Path of the gateway's page.
    package var back: String

    package init(_ frame: Frame, place: String, module: String, back: String) {
        self.frame = frame
        self.place = place
        self.module = module
        self.back = back
    }
}
