package import Matching

extension InteractionStore {
    /// The result of filing a report.
    package enum Filing: Equatable, Sendable {
        /// The report's number, and the places in the report of seeds and keys that were already published: they add
        /// nothing.
        case added(Int64, ignored: [String])
        case tokenSpent
        /// One of the subjects has reached the limit of reports.
        case tooMany

        /// The report's number; `nil` when nothing was stored.
        package var number: Int64? { if case .added(let number, _) = self { number } else { nil } }
    }

    /// Stores a report in one transaction, and spends its token.
    ///
    /// - Parameters:
    ///   - limit: maximum number of reports of each of `subjects`, including this one.
    ///   - entry: entry of the audit, which is stored with the report.
    /// - Throws: `StoreError`.
    package func add(
        _ report: PositiveReport, token: PositiveReport.Token? = nil, limit: Int = .max,
        of subjects: Set<SubjectIdentity> = [], audit entry: AuditEntry? = nil
    ) throws -> Filing {
        try database.write { session in
            let filing = try Self.add(report, token: token, limit: limit, of: subjects, to: session)
            if filing.number != nil { try session.note(entry) }
            return filing
        }
    }

    /// Stores a report, and spends its token, in the present transaction.
    static func add(
        _ report: PositiveReport, token: PositiveReport.Token? = nil, limit: Int = .max,
        of subjects: Set<SubjectIdentity> = [], to session: any SQLSession
    ) throws -> Filing {
        // Of several reports filed at once, each must see the earlier ones.
        if subjects.isEmpty { try session.lockShared() } else { try session.lockExclusively() }
        for subject in subjects.sorted() {
            if try session.reportCount(of: subject) >= limit { return .tooMany }
        }
        if let token {
            let spent = try session.execute(
                "INSERT INTO spent_token (hash, expires) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
                [.text(token.hash), .integer(token.expires)])
            guard spent == 1 else { return .tokenSpent }
        }
        let number = try session.first(
            StoreSchema.reportInsertion,
            [
                .text(report.reference), .integer(report.received), .text(report.positive.reportType.rawValue),
                .integer(report.positive.onset), .integer(report.positive.test), .text(report.symptoms),
            ]
        ) { $0.integer(0) }
        guard let number else { throw StoreError("a report was stored without a number") }
        var own: Set<Int64> = []
        for subject in Set(report.subjects.lazy.filter { !$0.isPending }.map(\.identity)).intersection(subjects)
            .sorted()
        {
            try session.query(
                "SELECT report FROM report_subject WHERE name = $1 AND kind = $2",
                [.text(subject.id), .text(subject.kind)]
            ) { own.insert($0.integer(0)) }
        }
        let fresh = try report.derivations.filter { try !session.areListed($0.entries, but: own) }
        let listed = report.entries + fresh.filter(\.isListed).flatMap(\.entries)
        try session.insert(
            StoreSchema.reportSubjectInsertion,
            rows: joined(report.subjects + fresh.flatMap(\.subjects)).map { subject in
                [
                    .integer(number), .text(subject.identity.kind), .text(subject.identity.id),
                    .integer(subject.since), .integer(subject.until), .integer(subject.isPending ? 1 : 0),
                ]
            }
        ) { _ in }
        try session.insert(
            StoreSchema.positiveInsertion,
            rows: distinct(listed).map {
                [.text($0.scheme), .text($0.value), .integer(number), .integer($0.isPending ? 1 : 0)]
            }
        ) { _ in }
        let taken = Set(fresh.map(\.place))
        return .added(number, ignored: report.derivations.map(\.place).filter { !taken.contains($0) })
    }

    /// Whether a report has already been made with a token.
    ///
    /// - Throws: `StoreError`.
    package func isSpent(_ token: PositiveReport.Token) throws -> Bool {
        try database.read { session in
            try session.first("SELECT 1 FROM spent_token WHERE hash = $1", [.text(token.hash)]) { _ in true } ?? false
        }
    }

    /// Returns distinct entries in their order; an entry that waits for confirmation does not make its confirmed
    /// duplicate wait.
    private static func distinct(_ entries: [PositiveReport.Entry]) -> [PositiveReport.Entry] {
        var seen: Set<[String]> = []
        return (entries.filter { !$0.isPending } + entries.filter(\.isPending)).filter {
            seen.insert([$0.scheme, $0.value]).inserted
        }
    }

    /// Joins periods of one name that begin at the same time; the longest counts. A period that waits for confirmation
    /// does not make a confirmed one wait.
    private static func joined(_ subjects: [PositiveReport.Subject]) -> [PositiveReport.Subject] {
        struct Key: Hashable {
            var identity: SubjectIdentity
            var since: Int64
        }
        var joined: [Key: PositiveReport.Subject] = [:]
        for subject in subjects {
            let key = Key(identity: subject.identity, since: subject.since)
            joined[key] =
                joined[key].map { other in
                    if other.isPending != subject.isPending { return other.isPending ? subject : other }
                    return other.until > subject.until ? other : subject
                } ?? subject
        }
        return Array(joined.values)
    }

    /// Returns the number of stored reports of a subject.
    ///
    /// - Throws: `StoreError`.
    package func reportCount(of subject: SubjectIdentity) throws -> Int {
        try database.read { try $0.reportCount(of: subject) }
    }

    /// Returns the reports that may still concern any subject, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - earliest: reports received before this time are left out; seconds since 1970.
    ///   - types: reports of other types are left out.
    ///   - last: reports up to this number are left out.
    /// - Throws: `StoreError`.
    package func reports(
        since earliest: Int64, of types: [ReportType] = ReportType.allCases, after last: Int64 = 0
    ) throws -> [FiledReport] {
        try database.read { session in
            var reports: [FiledReport] = []
            try session.query(
                "SELECT id, received, type, onset, test, reference, symptoms FROM report WHERE received >= $1 AND id > $2 ORDER BY id",
                [.integer(earliest), .integer(last)]
            ) { row in
                guard let type = ReportType(rawValue: row.text(2) ?? ""), types.contains(type) else { return }
                reports.append(
                    FiledReport(
                        number: row.integer(0),
                        PositiveReport(
                            reference: row.text(5) ?? "", received: row.integer(1),
                            positive: PositiveCase(reportType: type, onset: row.day(3), test: row.day(4)),
                            symptoms: row.text(6), subjects: [])))
            }
            for index in reports.indices {
                try session.query(
                    "SELECT kind, name, since, until FROM report_subject WHERE report = $1 AND pending = 0 ORDER BY kind, name, since",
                    [.integer(reports[index].number)]
                ) { row in
                    guard let identity = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                    reports[index].subjects.append(
                        .init(identity: identity, since: row.integer(2), until: row.integer(3)))
                }
                reports[index].waiting = try session.waiting(of: reports[index].number)
            }
            return reports
        }
    }

    /// Returns the sites that gateways have reported.
    ///
    /// - Throws: `StoreError`.
    package func sites() throws -> [String] {
        try database.read { session in
            var sites: [String] = []
            try session.query("SELECT DISTINCT site FROM place WHERE site <> '' ORDER BY site") { row in
                if let site = row.text(0) { sites.append(site) }
            }
            return sites
        }
    }

    /// Returns 256 random bits of this store in hexadecimal, the same for ever.
    ///
    /// - Parameter name: the purpose of the secret.
    /// - Throws: `StoreError`.
    package func secret(_ name: String) throws -> String {
        try database.write { session in
            try session.lockShared()
            return try session.secret(name)
        }
    }
}

extension SQLSession {
    /// Returns the number of stored reports of a subject.
    func reportCount(of subject: SubjectIdentity) throws -> Int {
        try count(
            "SELECT count(DISTINCT report) FROM report_subject WHERE name = $1 AND kind = $2",
            [.text(subject.id), .text(subject.kind)])
    }
}
