/// Audit: who did what on the page or at the command line, the latest first.
package struct AuditPage: PageContent {
    package static let template = PageTemplate.audit
    package var frame: Frame
    /// Text that entries were searched for; `nil` for none.
    package var query: String?
    package var entries: [Entry]
    /// Path of the older entries; `nil` if there are none.
    package var olderPath: String?
    /// Path of the latest entries; `nil` if these are shown.
    package var latestPath: String?

    package struct Entry: Equatable, Sendable {
        /// Local time.
        package var time: String
        /// Name of the person; `nil` if it is not kept, as of somebody who sends in a result.
        package var name: String?
        /// Identifier of the account.
        package var account: String
        package var action: String
        package var object: String
        package var detail: String

        package init(time: String, name: String, account: String, action: String, object: String, detail: String) {
            self.time = time
            self.name = name.isEmpty ? nil : name
            self.account = account
            self.action = action
            self.object = object
            self.detail = detail
        }
    }

    package init(
        _ frame: Frame, query: String?, entries: [Entry], olderPath: String?, latestPath: String?
    ) {
        self.frame = frame
        self.query = query
        self.entries = entries
        self.olderPath = olderPath
        self.latestPath = latestPath
    }
}
