public import Matching

extension InteractionStore {
    /// A report as it is matched.
    public struct StoredReport: Sendable {
        public var number: Int64
        public var received: Int64
        public var positive: PositiveCase
        public var subjects: [PositiveReport.Subject]

        public init(number: Int64, received: Int64, positive: PositiveCase, subjects: [PositiveReport.Subject]) {
            self.number = number
            self.received = received
            self.positive = positive
            self.subjects = subjects
        }
    }

    /// Stores a report in one transaction, and spends its token.
    ///
    /// - Returns: the report's number; `nil` when the token was spent before: nothing is stored then.
    /// - Throws: `StoreError`.
    public func add(_ report: PositiveReport, token: PositiveReport.Token? = nil) throws -> Int64? {
        try database.write { session in
            try session.lockShared()
            if let token {
                let spent = try session.execute(
                    "INSERT INTO spent_token (hash, expires) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
                    [.text(token.hash), .integer(token.expires)])
                guard spent == 1 else { return nil }
            }
            let number = try session.first(
                StoreSchema.reportInsertion,
                [
                    .text(report.reference), .integer(report.received), .text(report.positive.reportType.rawValue),
                    .integer(report.positive.onset), .integer(report.positive.test), .text(report.symptoms),
                ]
            ) { $0.integer(0) }
            guard let number else { throw StoreError("a report was stored without a number") }
            try session.insert(
                StoreSchema.reportSubjectInsertion,
                rows: Self.joined(report.subjects).map { subject in
                    [
                        .integer(number), .text(subject.identity.kind), .text(subject.identity.id),
                        .integer(subject.since), .integer(subject.until),
                    ]
                }
            ) { _ in }
            try session.insert(
                StoreSchema.positiveInsertion,
                rows: Self.distinct(report.entries).map { [.text($0.scheme), .text($0.value), .integer(number)] }
            ) { _ in }
            return number
        }
    }

    /// In their order.
    private static func distinct(_ entries: [PositiveReport.Entry]) -> [PositiveReport.Entry] {
        var seen: Set<PositiveReport.Entry> = []
        return entries.filter { seen.insert($0).inserted }
    }

    /// Times of one name that begin alike are one, as long as the longest.
    private static func joined(_ subjects: [PositiveReport.Subject]) -> [PositiveReport.Subject] {
        struct Key: Hashable {
            var identity: SubjectIdentity
            var since: Int64
        }
        var joined: [Key: PositiveReport.Subject] = [:]
        for subject in subjects {
            let key = Key(identity: subject.identity, since: subject.since)
            joined[key] = joined[key].map { $0.until > subject.until ? $0 : subject } ?? subject
        }
        return Array(joined.values)
    }

    /// How many reports of a subject are kept.
    ///
    /// - Throws: `StoreError`.
    public func reportCount(of subject: SubjectIdentity) throws -> Int {
        try database.read { session in
            try session.first(
                "SELECT count(DISTINCT report) FROM report_subject WHERE name = $1 AND kind = $2",
                [.text(subject.id), .text(subject.kind)]
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// Reports that may still concern somebody, by number.
    ///
    /// - Parameters:
    ///   - earliest: those that were received before are left out; seconds since 1970.
    ///   - types: others are left out.
    ///   - last: those up to this number are left out.
    /// - Throws: `StoreError`.
    public func reports(
        since earliest: Int64, of types: [ReportType] = ReportType.allCases, after last: Int64 = 0
    ) throws -> [StoredReport] {
        try database.read { session in
            var reports: [StoredReport] = []
            try session.query(
                "SELECT id, received, type, onset, test FROM report WHERE received >= $1 AND id > $2 ORDER BY id",
                [.integer(earliest), .integer(last)]
            ) { row in
                guard let type = ReportType(rawValue: row.text(2) ?? ""), types.contains(type) else { return }
                reports.append(
                    StoredReport(
                        number: row.integer(0), received: row.integer(1),
                        positive: PositiveCase(
                            reportType: type, onset: row.optionalInteger(3), test: row.optionalInteger(4)),
                        subjects: []))
            }
            for index in reports.indices {
                try session.query(
                    "SELECT kind, name, since, until FROM report_subject WHERE report = $1 ORDER BY kind, name, since",
                    [.integer(reports[index].number)]
                ) { row in
                    guard let identity = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                    reports[index].subjects.append(
                        .init(identity: identity, since: row.integer(2), until: row.integer(3)))
                }
            }
            return reports
        }
    }

    /// An exposure as the exposed subject may know it.
    public struct StoredExposure: RiskContribution {
        public var subject: SubjectIdentity
        public var place: Int64
        /// Seconds since 1970.
        public var start: Int64
        public var end: Int64
        /// What the policy counts.
        public var minutes: Double
        /// In JSON, without whoever is positive.
        public var document: String

        public init(
            subject: SubjectIdentity, place: Int64, start: Int64, end: Int64, minutes: Double, document: String
        ) {
            self.subject = subject
            self.place = place
            self.start = start
            self.end = end
            self.minutes = minutes
            self.document = document
        }
    }

    /// Puts what follows from a report in the place of what followed from it before.
    ///
    /// - Returns: whose exposures changed.
    /// - Throws: `StoreError`.
    public func setExposures(_ exposures: [StoredExposure], of report: Int64) throws -> Set<SubjectIdentity> {
        struct Key: Hashable {
            var subject: SubjectIdentity
            var place: Int64
            var start: Int64
        }
        return try database.write { session in
            try session.lockShared()
            var before: [Key: String] = [:]
            try session.query(
                "SELECT kind, name, place, started, document FROM exposure WHERE report = $1", [.integer(report)]
            ) { row in
                guard let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                before[Key(subject: subject, place: row.integer(2), start: row.integer(3))] = row.text(4)
            }
            var changed: Set<SubjectIdentity> = []
            var rows: [Key: [SQLValue]] = [:]
            for exposure in exposures {
                let key = Key(subject: exposure.subject, place: exposure.place, start: exposure.start)
                guard before.removeValue(forKey: key) != exposure.document else { continue }
                changed.insert(exposure.subject)
                rows[key] = [
                    .integer(report), .text(key.subject.kind), .text(key.subject.id), .integer(key.place),
                    .integer(key.start), .integer(exposure.end),
                    .integer(Int64((min(exposure.minutes, 1e9) * 1000).rounded())), .text(exposure.document),
                ]
            }
            for key in before.keys.sorted(by: { ($0.subject, $0.place, $0.start) < ($1.subject, $1.place, $1.start) }) {
                changed.insert(key.subject)
                try session.execute(
                    "DELETE FROM exposure WHERE report = $1 AND kind = $2 AND name = $3 AND place = $4 AND started = $5",
                    [
                        .integer(report), .text(key.subject.kind), .text(key.subject.id), .integer(key.place),
                        .integer(key.start),
                    ])
            }
            // In one order everywhere, so that two processes don't wait for each other.
            let keys = rows.keys.sorted { ($0.subject, $0.place, $0.start) < ($1.subject, $1.place, $1.start) }
            try session.insert(StoreSchema.exposureInsertion, rows: keys.compactMap { rows[$0] }) { _ in }
            // With the same transaction it is known who is to be told.
            try session.insert(
                StoreSchema.staleNoticeInsertion,
                rows: changed.sorted().map {
                    [
                        .text($0.kind), .text($0.id), .text(""), .integer(0), .integer(1), .integer(1), .integer(1),
                    ]
                }
            ) { _ in }
            return changed
        }
    }

    /// What is known of a subject's exposures, the latest first.
    ///
    /// - Throws: `StoreError`.
    public func exposures(of subject: SubjectIdentity, limit: Int = 1000) throws -> [StoredExposure] {
        try database.read { session in
            var found: [StoredExposure] = []
            try session.query(
                "SELECT place, started, ended, milliminutes, document FROM exposure WHERE name = $1 AND kind = $2 "
                    + "ORDER BY started DESC, place, report LIMIT \(limit)", [.text(subject.id), .text(subject.kind)]
            ) { row in
                found.append(
                    StoredExposure(
                        subject: subject, place: row.integer(0), start: row.integer(1), end: row.integer(2),
                        minutes: Double(row.integer(3)) / 1000, document: row.text(4) ?? "{}"))
            }
            return found
        }
    }

    // MARK: Notices

    /// What a subject is to be told.
    public struct Notice: Equatable, Sendable {
        public var subject: SubjectIdentity
        /// In JSON; nothing when there is nothing to tell any more.
        public var content: String
        /// When it changed, in seconds since 1970.
        public var changed: Int64
        public var isDelivered: Bool
        public var isSeen: Bool

        public init(
            subject: SubjectIdentity, content: String, changed: Int64, isDelivered: Bool = false, isSeen: Bool = false
        ) {
            self.subject = subject
            self.content = content
            self.changed = changed
            self.isDelivered = isDelivered
            self.isSeen = isSeen
        }
    }

    /// Subjects whose exposures changed since their notice was made.
    ///
    /// - Throws: `StoreError`.
    public func staleNotices(limit: Int = 10_000) throws -> [SubjectIdentity] {
        try database.read { session in
            var subjects: [SubjectIdentity] = []
            try session.query("SELECT kind, name FROM notice WHERE stale = 1 ORDER BY name, kind LIMIT \(limit)") {
                row in
                if let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") {
                    subjects.append(subject)
                }
            }
            return subjects
        }
    }

    /// What a subject was told last; `nil` when it was told nothing.
    ///
    /// - Throws: `StoreError`.
    public func notice(for subject: SubjectIdentity) throws -> String? {
        try database.read { session in
            try session.first(
                "SELECT content FROM notice WHERE name = $1 AND kind = $2", [.text(subject.id), .text(subject.kind)]
            ) { $0.text(0) ?? "" }
        }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Puts a notice in the place of an earlier one.
    ///
    /// - Parameter isNews: whether it is to be delivered and read anew.
    /// - Throws: `StoreError`.
    public func setNotice(_ content: String, for subject: SubjectIdentity, isNews: Bool = true, now: Int64) throws {
        let arguments: [SQLValue] = [.text(subject.kind), .text(subject.id), .text(content), .integer(now)]
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "INSERT INTO notice (kind, name, content, changed, delivered, seen, stale) VALUES ($1, $2, $3, $4, 0, 0, 0) "
                    + "ON CONFLICT (name, kind) DO UPDATE SET content = excluded.content, changed = excluded.changed, "
                    + (isNews ? "delivered = 0, seen = 0, " : "") + "stale = 0", arguments)
        }
    }

    /// Notices that weren't read yet, or not delivered.
    ///
    /// - Parameter includesSeen: also the others.
    /// - Throws: `StoreError`.
    public func notices(includesSeen: Bool = false, limit: Int = 10_000) throws -> [Notice] {
        try database.read { session in
            var notices: [Notice] = []
            try session.query(
                "SELECT kind, name, content, changed, delivered, seen FROM notice "
                    + (includesSeen ? "" : "WHERE delivered = 0 OR seen = 0 ")
                    + "ORDER BY delivered, changed DESC, kind, name LIMIT \(limit)"
            ) { row in
                guard let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                notices.append(
                    Notice(
                        subject: subject, content: row.text(2) ?? "{}", changed: row.integer(3),
                        isDelivered: row.integer(4) != 0, isSeen: row.integer(5) != 0))
            }
            return notices
        }
    }

    /// A notice was delivered, if it is still the same.
    ///
    /// - Throws: `StoreError`.
    public func delivered(_ notice: Notice) throws {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE notice SET delivered = 1 WHERE name = $1 AND kind = $2 AND content = $3",
                [.text(notice.subject.id), .text(notice.subject.kind), .text(notice.content)])
        }
    }

    /// A subject has read its notice.
    ///
    /// - Returns: whether there was one that wasn't read.
    /// - Throws: `StoreError`.
    public func seen(_ subject: SubjectIdentity) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let count = try session.execute(
                "UPDATE notice SET seen = 1 WHERE name = $1 AND kind = $2 AND seen = 0",
                [.text(subject.id), .text(subject.kind)])
            return count > 0
        }
    }

    // MARK: List of positives

    /// Gives waiting entries of the list of positives their slots: of each report in turn, in the order in which they came.
    ///
    /// - Parameters:
    ///   - slots: of one scheme; those that are taken stay taken.
    ///   - admits: whether a slot may have a value.
    /// - Throws: `StoreError`.
    public func publish(
        scheme: String, slots: Range<Int64>, _ admits: (_ slot: Int64, _ value: String) -> Bool = { _, _ in true }
    ) throws {
        let isAnyoneWaiting = try database.read { session in
            try session.first(
                "SELECT 1 FROM positive WHERE scheme = $1 AND slot IS NULL LIMIT 1", [.text(scheme)]
            ) { _ in true }
        }
        guard isAnyoneWaiting ?? false else { return }
        try database.write { session in
            // Two that publish at once would give a slot twice.
            try session.lockExclusively()
            var taken: Set<Int64> = []
            try session.query(
                "SELECT slot FROM positive WHERE scheme = $1 AND slot >= $2 AND slot < $3",
                [.text(scheme), .integer(slots.lowerBound), .integer(slots.upperBound)]
            ) { taken.insert($0.integer(0)) }
            var free = slots.filter { !taken.contains($0) }
            guard !free.isEmpty else { return }
            var waiting: [(id: Int64, value: String)] = []
            try session.query(
                "SELECT id, value FROM (SELECT id, value, row_number() OVER (PARTITION BY report ORDER BY id) AS turn "
                    + "FROM positive WHERE scheme = $1 AND slot IS NULL) AS waiting ORDER BY turn, id LIMIT 1000",
                [.text(scheme)]
            ) { waiting.append(($0.integer(0), $0.text(1) ?? "")) }
            for (id, value) in waiting {
                guard let index = free.firstIndex(where: { admits($0, value) }) else { continue }
                let slot = free.remove(at: index)
                try session.execute("UPDATE positive SET slot = $1 WHERE id = $2", [.integer(slot), .integer(id)])
                if free.isEmpty { break }
            }
        }
    }

    /// Published entries of a scheme, by slot.
    ///
    /// - Throws: `StoreError`.
    public func published(scheme: String, slots: Range<Int64>) throws -> [Int64: String] {
        try database.read { session in
            var values: [Int64: String] = [:]
            try session.query(
                "SELECT slot, value FROM positive WHERE scheme = $1 AND slot >= $2 AND slot < $3",
                [.text(scheme), .integer(slots.lowerBound), .integer(slots.upperBound)]
            ) { values[$0.integer(0)] = $0.text(1) }
            return values
        }
    }

    /// Sites of which gateways have told.
    ///
    /// - Throws: `StoreError`.
    public func sites() throws -> [String] {
        try database.read { session in
            var sites: [String] = []
            try session.query("SELECT DISTINCT site FROM place WHERE site <> '' ORDER BY site") { row in
                if let site = row.text(0) { sites.append(site) }
            }
            return sites
        }
    }

    /// 256 random bits of this store in hexadecimal, the same for ever.
    ///
    /// - Parameter name: what they are for.
    /// - Throws: `StoreError`.
    public func secret(_ name: String) throws -> String {
        try database.write { session in
            try session.lockShared()
            return try session.secret(name)
        }
    }
}
