/// Accounts that are signed in, the one that asked last first.
package struct SessionsPage: PageContent {
    package static let template = PageTemplate.sessions
    package var frame: Frame
    /// What the list has and leaves out, in sentences.
    package var extent: String
    package var rows: [Row]

    package struct Row: Equatable, Sendable {
        package var name: String
        package var account: String
        package var roles: String
        package var signedIn: String
        package var lastRequest: String

        package init(name: String, account: String, roles: String, signedIn: String, lastRequest: String) {
            self.name = name
            self.account = account
            self.roles = roles
            self.signedIn = signedIn
            self.lastRequest = lastRequest
        }
    }

    package init(_ frame: Frame, extent: String, rows: [Row]) {
        self.frame = frame
        self.extent = extent
        self.rows = rows
    }
}
