package import Matching

/// A subject that was exposed, over all reports.
package struct ExposedSubject: Equatable, Sendable {
    package var subject: SubjectIdentity
    /// End of the latest exposure, in seconds since 1970.
    package var latest: Int64
    /// Number of the row of the person in the register who has it; `nil` if nobody has.
    package var owner: Int64?
    package var notice: NoticeState
}

/// State of the notification of a subject.
package struct NoticeState: Equatable, Sendable {
    /// `nil` when there is nothing to report.
    package var content: NoticeContent?
    /// Whether the content covers all exposures that are known.
    package var isCurrent: Bool
    package var isDelivered: Bool
    package var isSeen: Bool

    package init(content: NoticeContent?, isCurrent: Bool, isDelivered: Bool, isSeen: Bool) {
        self.content = content
        self.isCurrent = isCurrent
        self.isDelivered = isDelivered
        self.isSeen = isSeen
    }

    /// State of a subject whose exposures have not been looked at yet.
    package static let unknown = Self(content: nil, isCurrent: false, isDelivered: false, isSeen: false)

    /// Columns of the table `notice` that make the state.
    static func columns(of alias: String) -> String {
        "\(alias).stale, \(alias).delivered, \(alias).seen, \(NoticeColumns.list(of: alias))"
    }

    /// Reads the columns from a number on; all are null where there is no notice.
    init(_ row: SQLRow, from first: Int32) {
        content = NoticeColumns.content(row, from: first + 3)
        isCurrent = row.optionalInteger(first).map { $0 <= 0 } ?? false
        isDelivered = row.integer(first + 1) != 0
        isSeen = row.integer(first + 2) != 0
    }
}
