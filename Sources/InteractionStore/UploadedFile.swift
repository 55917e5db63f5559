/// File that was uploaded on the page, as UTF-8 text.
package struct UploadedFile: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case timetable
        /// Rows of one course.
        case roster
        /// List of people that waits until its import is confirmed.
        case pendingPeople = "pending-people"
    }

    package var kind: Kind
    /// Name of a timetable, key of a roster's course, or hash of the session in which a list of people waits.
    package var name: String
    package var content: String
    /// Name of the account that uploaded it.
    package var by: String
    /// Seconds since 1970.
    package var at: Int64

    package init(_ kind: Kind, name: String, content: String, by: String, at: Int64) {
        self.kind = kind
        self.name = name
        self.content = content
        self.by = by
        self.at = at
    }
}
