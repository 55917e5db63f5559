/// Page that shows a form again that was sent without a valid session or token, so that nothing typed is lost.
package struct ConfirmPage: PageContent {
    package static let template = PageTemplate.confirm
    package var frame: Frame
    /// Whether the session has ended; else only the token was not right.
    package var isSignedOut: Bool
    package var path: String
    package var fields: [HiddenField]
    /// Names of fields for files. A form cannot keep a file: it has to be chosen again.
    package var files: [String]
    package var hasFiles: Bool

    package init(_ frame: Frame, isSignedOut: Bool, path: String, fields: [HiddenField], files: [String] = []) {
        self.frame = frame
        self.isSignedOut = isSignedOut
        self.path = path
        self.fields = fields
        self.files = files
        hasFiles = !files.isEmpty
    }
}
