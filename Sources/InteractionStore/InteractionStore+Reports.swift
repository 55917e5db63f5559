public import Matching

extension InteractionStore {
    /// A report as it is matched.
    public struct StoredReport: Sendable {
        public var number: Int64
        /// By which the reporter refers to it.
        public var reference: String
        public var received: Int64
        public var positive: PositiveCase
        /// The answers to the questionnaire, in JSON.
        public var symptoms: String?
        public var subjects: [PositiveReport.Subject]

        public init(number: Int64, _ report: PositiveReport) {
            self.number = number
            reference = report.reference
            received = report.received
            positive = report.positive
            symptoms = report.symptoms
            subjects = report.subjects
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
                "SELECT id, received, type, onset, test, reference, symptoms FROM report WHERE received >= $1 AND id > $2 ORDER BY id",
                [.integer(earliest), .integer(last)]
            ) { row in
                guard let type = ReportType(rawValue: row.text(2) ?? ""), types.contains(type) else { return }
                reports.append(
                    StoredReport(
                        number: row.integer(0),
                        PositiveReport(
                            reference: row.text(5) ?? "", received: row.integer(1),
                            positive: PositiveCase(reportType: type, onset: row.day(3), test: row.day(4)),
                            symptoms: row.text(6), subjects: [])))
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
