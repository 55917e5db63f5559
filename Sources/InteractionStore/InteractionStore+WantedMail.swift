import Matching
import People

/// People who want notices by e-mail.
extension InteractionStore {
    /// Returns whether a person wants notices by e-mail.
    ///
    /// - Throws: `StoreError`.
    package func wantsMail(number: String) throws -> Bool {
        try database.read { session in
            try session.first("SELECT 1 FROM mail_wish WHERE number = $1", [.text(number)]) { _ in true } ?? false
        }
    }

    /// Sets whether a person wants notices by e-mail. The present notice counts as known.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: whether the person is in the register.
    /// - Throws: `StoreError`.
    package func setWantsMail(_ wants: Bool, number: String, now: Int64) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            guard let person = try session.person(numbered: number)?.person else { return false }
            guard wants else {
                try session.execute("DELETE FROM mail_wish WHERE number = $1", [.text(number)])
                try session.execute(
                    "DELETE FROM mail WHERE number = $1 AND state = 'queued' AND kind = 'wish'", [.text(number)])
                return true
            }
            try session.execute(
                "INSERT INTO mail_wish (number, since) VALUES ($1, $2) ON CONFLICT (number) DO NOTHING",
                [.text(number), .integer(now)])
            try session.know(try session.notice(of: person.subjects), number: number)
            return true
        }
    }

    /// Orders e-mails to people who want them, and of whom there is news.
    ///
    /// - Parameters:
    ///   - time: only people whose notices changed since then, in seconds since 1970.
    ///   - address: returns the address of a person, given the contact in the register; `nil` if there is none.
    ///   - now: seconds since 1970.
    /// - Returns: the number of e-mails that were ordered.
    /// - Throws: `StoreError`.
    package func orderWantedMail(
        changedSince time: Int64, now: Int64, address: ([String]) -> String?
    ) throws -> Int {
        var numbers: Set<String> = []
        try database.read { session in
            try session.query(
                "SELECT p.number FROM notice n JOIN person_subject s ON s.name = n.name AND s.kind = n.kind "
                    + "JOIN person p ON p.id = s.person JOIN mail_wish w ON w.number = p.number WHERE n.changed >= $1",
                [.integer(time)]
            ) { if let number = $0.text(0) { numbers.insert(number) } }
        }
        var count = 0
        for number in numbers.sorted() {
            // One transaction for each: others have their turn.
            count += try database.write { session in
                try session.lockShared()
                guard let person = try session.person(numbered: number)?.person,
                    let known = try session.knownNotice(number: number)
                else { return 0 }
                let notice = try session.notice(of: person.subjects)
                if notice == known { return 0 }
                try session.know(notice, number: number)
                guard let notice, notice.isNews(after: known), let found = address(person.contact) else { return 0 }
                return try session.orderMail(to: number, at: found, kind: .preference, now: now)
            }
        }
        return count
    }
}

extension SQLSession {
    /// Returns the notice of a person: the most of what the notices of the person's badges and phones say; `nil` if
    /// none of them has anything to report.
    func notice(of subjects: [SubjectIdentity]) throws -> NoticeContent? {
        var whole: NoticeContent?
        for subject in subjects.sorted() {
            let content =
                try first(
                    "SELECT \(NoticeColumns.list()) FROM notice WHERE name = $1 AND kind = $2",
                    [.text(subject.id), .text(subject.kind)], { NoticeColumns.content($0, from: 0) }) ?? nil
            guard let content else { continue }
            guard var joined = whole else {
                whole = content
                continue
            }
            if joined.level < content.level { (joined.level, joined.label) = (content.level, content.label) }
            joined.days = max(joined.days, content.days)
            joined.latest = [joined.latest, content.latest].compactMap { $0 }.max()
            joined.clockIsDoubtful = joined.clockIsDoubtful || content.clockIsDoubtful
            whole = joined
        }
        return whole
    }

    /// Returns which notice a person who wants e-mails knows, which can be none; `nil` for anybody else.
    func knownNotice(number: String) throws -> NoticeContent?? {
        try first(
            "SELECT \(NoticeColumns.list(of: "mail_wish")) FROM mail_wish WHERE number = $1", [.text(number)]
        ) { NoticeColumns.content($0, from: 0) }
    }

    /// Notes which notice a person who wants e-mails knows.
    func know(_ notice: NoticeContent?, number: String) throws {
        try execute(
            "UPDATE mail_wish SET \(NoticeColumns.assignments(from: 2)) WHERE number = $1",
            [.text(number)] + NoticeColumns.values(of: notice))
    }
}
