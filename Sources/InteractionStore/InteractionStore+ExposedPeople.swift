package import Matching

/// Exposures over all reports, for officers.
extension InteractionStore {
    /// Place in a list of exposed subjects, for its next part.
    package struct ExposedPosition: Equatable, Sendable {
        package var latest: Int64
        package var subject: SubjectIdentity

        package init(latest: Int64, subject: SubjectIdentity) {
            self.latest = latest
            self.subject = subject
        }
    }

    /// Returns subjects that were exposed, those exposed latest first.
    ///
    /// - Parameters:
    ///   - time: only exposures that ended then or later, in seconds since 1970.
    ///   - last: only subjects after this place; `nil` for the first part.
    ///   - limit: maximum number of subjects.
    /// - Throws: `StoreError`.
    package func exposedSubjects(
        since time: Int64, after last: ExposedPosition? = nil, limit: Int
    ) throws -> [ExposedSubject] {
        try database.read { session in
            var subjects: [ExposedSubject] = []
            // Goes back along `exposure_by_end` until there are enough subjects, each at its latest exposure.
            try session.query(
                "SELECT e.kind, e.name, e.ended, s.person, \(NoticeState.columns(of: "n")) "
                    + "FROM (SELECT x.ended, x.kind, x.name FROM exposure x "
                    + "WHERE x.ended >= $1 AND (x.ended, x.kind, x.name) < ($2, $3, $4) AND NOT EXISTS ("
                    + "SELECT 1 FROM exposure y WHERE y.name = x.name AND y.kind = x.kind AND y.ended > x.ended) "
                    + "GROUP BY x.ended, x.kind, x.name "
                    + "ORDER BY x.ended DESC, x.kind DESC, x.name DESC LIMIT $5) AS e "
                    + "LEFT JOIN notice n ON n.name = e.name AND n.kind = e.kind "
                    + "LEFT JOIN person_subject s ON s.name = e.name AND s.kind = e.kind "
                    + "ORDER BY e.ended DESC, e.kind DESC, e.name DESC",
                [
                    .integer(time), .integer(last?.latest ?? .max), .text(last?.subject.kind ?? ""),
                    .text(last?.subject.id ?? ""), .integer(Int64(limit)),
                ]
            ) { row in
                guard let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                subjects.append(
                    ExposedSubject(
                        subject: subject, latest: row.integer(2), owner: row.optionalInteger(3),
                        notice: NoticeState(row, from: 4)))
            }
            return subjects
        }
    }

    /// Returns the numbers of the reports by which subjects were exposed; subjects without an exposure are left out.
    ///
    /// - Parameter time: only exposures that ended then or later, in seconds since 1970.
    /// - Throws: `StoreError`.
    package func reports(
        exposing subjects: Set<SubjectIdentity>, since time: Int64
    ) throws -> [SubjectIdentity: Set<Int64>] {
        if subjects.isEmpty { return [:] }
        return try database.read { session in
            var reports: [SubjectIdentity: Set<Int64>] = [:]
            for subject in subjects {
                try session.query(
                    "SELECT DISTINCT report FROM exposure WHERE name = $1 AND kind = $2 AND ended >= $3",
                    [.text(subject.id), .text(subject.kind), .integer(time)]
                ) { reports[subject, default: []].insert($0.integer(0)) }
            }
            return reports
        }
    }

    /// Returns how far subjects are notified; those that never had an exposure are left out.
    ///
    /// - Throws: `StoreError`.
    package func noticeStates(of subjects: Set<SubjectIdentity>) throws -> [SubjectIdentity: NoticeState] {
        if subjects.isEmpty { return [:] }
        return try database.read { session in
            var states: [SubjectIdentity: NoticeState] = [:]
            for subject in subjects {
                states[subject] = try session.first(
                    "SELECT \(NoticeState.columns(of: "n")) FROM notice n WHERE n.name = $1 AND n.kind = $2",
                    [.text(subject.id), .text(subject.kind)]
                ) { NoticeState($0, from: 0) }
            }
            return states
        }
    }

    /// Returns subjects whose notices do not cover all their exposures yet.
    ///
    /// - Throws: `StoreError`.
    package func staleNotices(among subjects: Set<SubjectIdentity>) throws -> [StaleNotice] {
        if subjects.isEmpty { return [] }
        return try database.read { session in
            try subjects.sorted().compactMap { subject in
                try session.first(
                    "SELECT stale FROM notice WHERE name = $1 AND kind = $2 AND stale > 0",
                    [.text(subject.id), .text(subject.kind)]
                ) { StaleNotice(subject: subject, changes: $0.integer(0)) }
            }
        }
    }

    /// Returns the subjects that a report exposed, each once, by kind and name.
    ///
    /// - Parameters:
    ///   - report: number of the report.
    ///   - limit: maximum number of subjects.
    /// - Throws: `StoreError`.
    package func exposedSubjects(ofReport report: Int64, limit: Int) throws -> [SubjectIdentity] {
        try database.read { try $0.exposedSubjects(of: report, limit: limit) }
    }

    /// Returns the exposures that follow from a report, by subject and time.
    ///
    /// - Parameters:
    ///   - report: number of the report.
    ///   - limit: maximum number of exposures.
    /// - Throws: `StoreError`.
    package func exposures(ofReport report: Int64, limit: Int) throws -> [ExposureSummary] {
        try database.read { session in
            var exposures: [ExposureSummary] = []
            try session.query(
                "SELECT kind, name, place, started, ended, milliminutes, clock, way FROM exposure WHERE report = $1 "
                    + "ORDER BY kind, name, started, place LIMIT $2",
                [.integer(report), .integer(Int64(limit))]
            ) { if let exposure = $0.exposure { exposures.append(exposure) } }
            return exposures
        }
    }

    /// Returns the latest exposure of each subject; subjects without one are left out.
    ///
    /// - Throws: `StoreError`.
    package func latestExposures(
        of subjects: Set<SubjectIdentity>
    ) throws -> [SubjectIdentity: ExposureSummary] {
        if subjects.isEmpty { return [:] }
        return try database.read { session in
            var latest: [SubjectIdentity: ExposureSummary] = [:]
            for subject in subjects {
                try session.query(
                    "SELECT kind, name, place, started, ended, milliminutes, clock, way FROM exposure "
                        + "WHERE name = $1 AND kind = $2 ORDER BY ended DESC, report, place, started LIMIT 1",
                    [.text(subject.id), .text(subject.kind)]
                ) { latest[subject] = $0.exposure }
            }
            return latest
        }
    }

    /// Returns the exposures of a subject with the references of the reports from which they follow, latest first.
    ///
    /// - Throws: `StoreError`.
    package func reportedExposures(
        of subject: SubjectIdentity, limit: Int
    ) throws -> [(exposure: ExposureSummary, report: String)] {
        try database.read { session in
            var exposures: [(exposure: ExposureSummary, report: String)] = []
            try session.query(
                "SELECT e.kind, e.name, e.place, e.started, e.ended, e.milliminutes, e.clock, e.way, r.reference "
                    + "FROM exposure e JOIN report r ON r.id = e.report WHERE e.name = $1 AND e.kind = $2 "
                    + "ORDER BY e.ended DESC, e.report LIMIT $3",
                [.text(subject.id), .text(subject.kind), .integer(Int64(limit))]
            ) { if let exposure = $0.exposure { exposures.append((exposure, $0.text(8) ?? "")) } }
            return exposures
        }
    }
}

extension SQLRow {
    /// The exposure in the first columns: kind, name, place, started, ended, milliminutes, clock and way.
    fileprivate var exposure: ExposureSummary? {
        guard let subject = SubjectIdentity(kind: text(0) ?? "", id: text(1) ?? "") else { return nil }
        return ExposureSummary(
            subject: subject, place: integer(2), start: integer(3), end: integer(4),
            minutes: Double(integer(5)) / 1000, clockIsDoubtful: integer(6) != 1,
            way: Exposure.Way(rawValue: text(7) ?? "") ?? .together)
    }
}
