package import Matching

extension InteractionStore {
    /// Returns the subjects whose exposures changed since their notice was made.
    ///
    /// - Throws: `StoreError`.
    package func staleNotices(limit: Int = 10_000) throws -> [StaleNotice] {
        try database.read { session in
            var notices: [StaleNotice] = []
            try session.query(
                "SELECT kind, name, stale FROM notice WHERE stale > 0 ORDER BY name, kind LIMIT \(limit)"
            ) { row in
                if let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") {
                    notices.append(StaleNotice(subject: subject, changes: row.integer(2)))
                }
            }
            return notices
        }
    }

    /// Returns the content of the latest notice for a subject; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func notice(for subject: SubjectIdentity) throws -> NoticeContent? {
        try database.read { session in
            try session.first(
                "SELECT \(NoticeColumns.list()) FROM notice WHERE name = $1 AND kind = $2",
                [.text(subject.id), .text(subject.kind)]
            ) { NoticeColumns.content($0, from: 0) } ?? nil
        }
    }

    /// Sets the notice of a subject whose exposures changed. Does nothing if the subject has been erased since, or if
    /// there have been further changes.
    ///
    /// - Parameters:
    ///   - content: `nil` if there is nothing left to report.
    ///   - stale: the value read before the exposures were looked up; later changes are not covered.
    ///   - isNews: whether the notice must be delivered and read again.
    /// - Throws: `StoreError`.
    package func setNotice(
        _ content: NoticeContent?, for stale: StaleNotice, isNews: Bool = true, now: Int64
    ) throws {
        let arguments: [SQLValue] =
            [.text(stale.subject.kind), .text(stale.subject.id), .integer(now), .integer(stale.changes)]
            + NoticeColumns.values(of: content)
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE notice SET \(NoticeColumns.assignments(from: 5)), "
                    + "changed = CASE WHEN \(NoticeColumns.areEqual(from: 5)) THEN changed ELSE $3 END, "
                    + (isNews ? "delivered = 0, seen = 0, " : "")
                    + "stale = -stale WHERE kind = $1 AND name = $2 AND stale = $4", arguments)
        }
    }

    package enum NoticeSelection: Sendable {
        case all
        /// Notices that are not empty and have not been read.
        case unread
        case undelivered

        fileprivate var condition: String {
            switch self {
            case .all: "1 = 1"
            case .unread: "n.seen = 0 AND n.\(NoticeColumns.isPresent)"
            case .undelivered: "n.delivered = 0"
            }
        }
    }

    /// Returns notices, those of the longest-known subjects first, so that no subject waits behind subjects that a
    /// gateway invents.
    ///
    /// - Parameters:
    ///   - time: only notices that changed since then, in seconds since 1970.
    ///   - last: only notices after this one, for reading all of them in parts.
    /// - Throws: `StoreError`.
    package func notices(
        _ selection: NoticeSelection = .all, changedSince time: Int64 = .min, after last: Notice? = nil,
        limit: Int = 10_000
    ) throws -> [Notice] {
        try database.read { session in
            var notices: [Notice] = []
            let rank = "COALESCE(s.id, \(Int64.max))"
            var condition = "\(selection.condition) AND n.changed >= $1"
            var arguments: [SQLValue] = [.integer(time)]
            if let last {
                condition += " AND (\(rank), n.kind, n.name) > ($2, $3, $4)"
                arguments += [.integer(last.rank), .text(last.subject.kind), .text(last.subject.id)]
            }
            try session.query(
                "SELECT n.kind, n.name, n.changed, n.delivered, n.seen, \(NoticeColumns.list(of: "n")), \(rank) FROM notice n "
                    + "LEFT JOIN subject s ON s.name = n.name AND s.kind = n.kind WHERE \(condition) "
                    + "ORDER BY \(rank), n.kind, n.name LIMIT \(limit)", arguments
            ) { row in
                if let notice = Self.notice(row, rank: row.integer(5 + Int32(NoticeColumns.count))) {
                    notices.append(notice)
                }
            }
            return notices
        }
    }

    /// Returns the notices of some subjects that are unread or undelivered, however many others wait.
    ///
    /// - Throws: `StoreError`.
    package func notices(of subjects: Set<SubjectIdentity>) throws -> [Notice] {
        if subjects.isEmpty { return [] }
        return try database.read { session in
            try subjects.compactMap { subject in
                try session.first(
                    "SELECT kind, name, changed, delivered, seen, \(NoticeColumns.list()) FROM notice "
                        + "WHERE name = $1 AND kind = $2 AND (delivered = 0 OR seen = 0)",
                    [.text(subject.id), .text(subject.kind)]
                ) { Self.notice($0) } ?? nil
            }
        }
    }

    private static func notice(_ row: SQLRow, rank: Int64 = .max) -> Notice? {
        SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "").map { subject in
            Notice(
                subject: subject, content: NoticeColumns.content(row, from: 5), changed: row.integer(2),
                isDelivered: row.integer(3) != 0, isSeen: row.integer(4) != 0, rank: rank)
        }
    }

    /// Returns the given subjects that have an unread notice.
    ///
    /// - Throws: `StoreError`.
    package func subjects(
        withUnreadNoticeAmong subjects: Set<SubjectIdentity>
    ) throws -> Set<SubjectIdentity> {
        if subjects.isEmpty { return [] }
        return try database.read { session in
            try subjects.filter { subject in
                try session.first(
                    "SELECT 1 FROM notice WHERE name = $1 AND kind = $2 AND seen = 0 AND \(NoticeColumns.isPresent)",
                    [.text(subject.id), .text(subject.kind)]
                ) { _ in true } ?? false
            }
        }
    }

    /// Marks the notices of all exposed subjects as stale: what they may be told changes with the day and the policy.
    ///
    /// - Throws: `StoreError`.
    package func markNoticesStale() throws {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE notice SET stale = abs(stale) + 1 WHERE EXISTS (SELECT 1 FROM exposure e "
                    + "WHERE e.name = notice.name AND e.kind = notice.kind)")
        }
    }

    /// Returns the topics that must be emptied because their subjects were erased or have a new secret.
    ///
    /// - Returns: the time of each withdrawal, in seconds since 1970, by the key of the topic.
    /// - Throws: `StoreError`.
    package func withdrawals() throws -> [String: Int64] {
        try database.read { session in
            var withdrawals: [String: Int64] = [:]
            try session.query("SELECT topic_key, at FROM withdrawal") { row in
                if let key = row.text(0) { withdrawals[key] = row.integer(1) }
            }
            return withdrawals
        }
    }

    /// Records that the broker has been told to empty a topic. This is repeated at each start until the withdrawal is
    /// as old as the retention of interactions.
    ///
    /// - Throws: `StoreError`.
    package func withdrew(topicKey: String, at time: Int64) throws {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE withdrawal SET done = 1 WHERE topic_key = $1 AND at = $2", [.text(topicKey), .integer(time)])
        }
    }

    /// Whether a notice is unchanged since it was read from the store, and still undelivered.
    ///
    /// - Throws: `StoreError`.
    package func isToBeDelivered(_ notice: Notice) throws -> Bool {
        try database.read { session in
            try session.first(
                "SELECT 1 FROM notice WHERE name = $1 AND kind = $2 AND \(NoticeColumns.areEqual(from: 3)) "
                    + "AND delivered = 0",
                [.text(notice.subject.id), .text(notice.subject.kind)] + NoticeColumns.values(of: notice.content)
            ) { _ in true } ?? false
        }
    }

    /// Marks a notice as delivered, if it is unchanged.
    ///
    /// - Throws: `StoreError`.
    package func delivered(_ notice: Notice) throws {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE notice SET delivered = 1 WHERE name = $1 AND kind = $2 "
                    + "AND \(NoticeColumns.areEqual(from: 3))",
                [.text(notice.subject.id), .text(notice.subject.kind)] + NoticeColumns.values(of: notice.content))
        }
    }

    /// Marks a subject's notice as read.
    ///
    /// - Parameter wasRead: whether the subject has read this content: it may have changed since.
    /// - Returns: whether there was an unread notice.
    /// - Throws: `StoreError`.
    package func seen(
        _ subject: SubjectIdentity, where wasRead: (NoticeContent?) -> Bool = { _ in true }
    ) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let name: [SQLValue] = [.text(subject.id), .text(subject.kind)]
            let content = try session.first(
                "SELECT \(NoticeColumns.list()) FROM notice WHERE name = $1 AND kind = $2 AND seen = 0", name
            ) { NoticeColumns.content($0, from: 0) }
            guard let content, wasRead(content) else { return false }
            let count = try session.execute(
                "UPDATE notice SET seen = 1 WHERE name = $1 AND kind = $2 AND seen = 0 "
                    + "AND \(NoticeColumns.areEqual(from: 3))", name + NoticeColumns.values(of: content))
            return count > 0
        }
    }
}
