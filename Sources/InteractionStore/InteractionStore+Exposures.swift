package import Evidence
package import Matching

extension InteractionStore {
    /// Replaces the exposures that follow from a report, and whether it is matched. Exposures from before the report or
    /// the subject was erased are not kept.
    ///
    /// - Parameters:
    ///   - leftOut: `ExposureSearch.Findings.leftOut`: exposures at the places of these sources that were found before
    ///     and are not found now stay, since those places were not searched.
    ///   - keepsForgotten: whether exposures found by minutes together stay where the readings have since expired and
    ///     can no longer be searched.
    ///   - isMatched: whether exposures were looked for.
    ///   - filed: the report for which they were looked for. If it was confirmed since it was read, nothing changes
    ///     and it still waits to be matched; `nil` for a report that nobody confirms meanwhile.
    /// - Returns: the subjects whose exposures changed.
    /// - Throws: `StoreError`.
    package func setExposures(
        _ exposures: [ExposureSummary], of report: Int64, leftOut: Set<EncounterSource> = [],
        keepsForgotten: Bool = true, isMatched: Bool = true, as filed: FiledReport? = nil
    ) throws -> Set<SubjectIdentity> {
        try storing { session in
            let isThere = try session.first("SELECT count(*) FROM report WHERE id = $1", [.integer(report)]) {
                $0.integer(0) > 0
            }
            guard isThere == true else { return [] }
            if let filed, try !session.isStill(filed) { return [] }
            var replacement = ExposureReplacement(
                of: try session.exposures(of: report),
                by: exposures.filter { !wasErased($0.subject, since: $0.start) })
            replacement.keep(at: try places(of: leftOut, session))
            if keepsForgotten {
                try replacement.keep { key, contents in
                    try contents.way != Exposure.Way.beacon.rawValue
                        && session.areReadingsGone(from: key.start, to: contents.end)
                }
            }
            try session.write(replacement, of: report)
            let changed = replacement.subjects
            // The same transaction records which subjects must be notified.
            try session.insert(
                StoreSchema.staleNoticeInsertion,
                rows: changed.sorted().map {
                    [.text($0.kind), .text($0.id), .integer(0), .integer(1), .integer(1), .integer(1)]
                }
            ) { _ in }
            try session.execute(
                "UPDATE report SET matched = $2 WHERE id = $1 AND matched <> $2",
                [.integer(report), .integer(isMatched ? 1 : 0)])
            return changed
        }
    }

    /// Returns the days of the given periods on which subjects were heard but whose readings have expired, in days
    /// since 1970, ascending. Empty if there have never been any readings.
    ///
    /// - Throws: `StoreError`.
    package func daysWithoutReadings(of positives: [SubjectPeriod]) throws -> [Int64] {
        try database.read { session in
            let known = try session.readingBlocks(session.unsettledBlocks())
            // Every publisher of readings is recorded as a receiver: if no readings are left, all of them have expired.
            if known == nil, try session.first("SELECT 1 FROM receiver LIMIT 1", [], { _ in true }) == nil { return [] }
            var days: Set<Int64> = []
            for positive in positives {
                let last = min(positive.until, known.map { $0.lowerBound.start - 1 } ?? .max)
                if positive.since > last { continue }
                try session.query(
                    "SELECT DISTINCT i.started / 86400 FROM interaction i "
                        + "WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) AND i.started BETWEEN $2 AND $3",
                    [.integer(positive.subject), .integer(positive.since), .integer(last)]
                ) { days.insert($0.integer(0)) }
            }
            return days.sorted()
        }
    }

    /// Returns the places of the gateways that were left out, with the gateways; returns all places if phones were left
    /// out.
    private func places(of leftOut: Set<EncounterSource>, _ session: any SQLSession) throws -> [Int64: String] {
        if leftOut.isEmpty { return [:] }
        let isAll = leftOut.contains(where: \.isOfPhones)
        let names = Set(leftOut.filter { $0.positive == $0.other }.map(\.other))
        var places: [Int64: String] = [:]
        try session.query("SELECT id, gateway FROM place") { row in
            let gateway = PlaceClaimRule.gateway(row.text(1) ?? "")
            if isAll || names.contains(gateway) { places[row.integer(0)] = gateway }
        }
        return places
    }

    /// Returns the numbers of the subjects that a report exposed.
    ///
    /// - Throws: `StoreError`.
    package func exposed(by report: Int64) throws -> Set<Int64> {
        try database.read { session in
            var numbers: Set<Int64> = []
            try session.query(
                "SELECT DISTINCT s.id FROM exposure e JOIN subject s ON s.name = e.name AND s.kind = e.kind "
                    + "WHERE e.report = $1", [.integer(report)]
            ) { numbers.insert($0.integer(0)) }
            return numbers
        }
    }

    /// Returns the known exposures of a subject, latest first. An exposure to one person counts once, even if the
    /// person reported several times. Of each hour it returns the exposures with the most minutes, at most
    /// `mostOfAnHour`: many exposures of one day hide no other day, wherever days begin.
    ///
    /// - Parameter end: only exposures that ended before this time, in seconds since 1970. Later ones are not read.
    /// - Throws: `StoreError`.
    package func exposures(of subject: SubjectIdentity, endedBefore end: Int64? = nil) throws -> [ExposureSummary] {
        try database.read { session in
            var found: [(report: Int64, exposure: ExposureSummary)] = []
            try session.query(
                "SELECT place, started, ended, milliminutes, report, clock, way FROM ("
                    + "SELECT place, started, ended, milliminutes, report, clock, way, ROW_NUMBER() OVER ("
                    + "PARTITION BY started / 3600 ORDER BY milliminutes DESC, started DESC, place, report) AS place_of_hour "
                    + "FROM exposure WHERE name = $1 AND kind = $2 AND ended < $3) AS e "
                    + "WHERE place_of_hour <= \(Self.mostOfAnHour * Self.mostReportsOfOne) "
                    + "ORDER BY started DESC, place, report LIMIT \(Self.mostExposuresOfOne)",
                [.text(subject.id), .text(subject.kind), .integer(end ?? .max)]
            ) { row in
                found.append((row.integer(4), ExposureSummary(row, of: subject)))
            }
            let distinct = try persons(of: Set(found.map(\.report)), session).distinct(found)
            let kept = Dictionary(grouping: distinct.indices) { distinct[$0].start / 3600 }.values.flatMap { hour in
                hour.sorted { distinct[$0].minutes > distinct[$1].minutes }.prefix(Self.mostOfAnHour)
            }
            return kept.sorted().map { distinct[$0] }
        }
    }

    private static let mostOfAnHour = 3
    private static let mostExposuresOfOne = 25_000

    private func persons(of reports: Set<Int64>, _ session: any SQLSession) throws -> ReportedPersons {
        if reports.count < 2 { return ReportedPersons(pairs: []) }
        let list = reports.sorted().map(String.init).joined(separator: ", ")
        var pairs: [(Int64, Int64)] = []
        try session.query(
            "SELECT DISTINCT a.report, b.report \(Self.sameOwner) WHERE b.report > a.report "
                + "AND a.report IN (\(list)) AND b.report IN (\(list))", [], keepsStatement: false
        ) { pairs.append(($0.integer(0), $0.integer(1))) }
        return ReportedPersons(pairs: pairs)
    }

    /// SQL for pairs of reports `a` and `b` that have a phone or badge of one owner in common. These names can be
    /// reported only with their secret. Codes and seeds can be reported by anybody, and they are many.
    ///
    /// A phone's id is its own for ever. A badge is handed on: it identifies a person only if each report's period of
    /// ownership, as known when the report was made, overlaps the other's.
    private static let sameOwner = """
        FROM report_subject a JOIN report_subject b ON b.name = a.name AND b.kind = a.kind \
        AND a.kind IN (\(ownedKinds)) AND a.pending = 0 AND b.pending = 0 AND b.since <= a.until AND a.since <= b.until \
        JOIN report ra ON ra.id = a.report JOIN report rb ON rb.id = b.report \
        AND (a.kind = '\(SubjectIdentity.phone)' OR b.since <= ra.received AND a.since <= rb.received)
        """

    /// The kinds as SQL literals, a condition of their own for the key by report and kind: there are thousands of codes
    /// to a phone.
    private static let ownedKinds = "'\(SubjectIdentity.phone)', '\(SubjectIdentity.badge)'"

    /// Maximum number of reports by one person; bounds everything that is examined because of them.
    private static let mostReportsOfOne = 10

    /// Returns the phones and badges of the person who made a report, following that person's other reports from one to
    /// the next.
    ///
    /// - Throws: `StoreError`.
    package func devices(ofReporter report: Int64) throws -> Set<SubjectIdentity> {
        try database.read { session in
            var reports: Set<Int64> = [report]
            var new = reports
            while !new.isEmpty, reports.count < Self.mostLinkedReports {
                var found: Set<Int64> = []
                for report in new.sorted() {
                    try session.query(
                        "SELECT DISTINCT b.report \(Self.sameOwner) WHERE a.report = $1", [.integer(report)]
                    ) {
                        found.insert($0.integer(0))
                    }
                }
                new = found.subtracting(reports)
                reports.formUnion(new)
            }
            var devices: Set<SubjectIdentity> = []
            for report in reports.sorted().prefix(Self.mostLinkedReports) {
                try session.query(
                    "SELECT kind, name FROM report_subject WHERE report = $1 AND pending = 0 AND kind IN (\(Self.ownedKinds))",
                    [.integer(report)]
                ) { row in
                    if let device = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") {
                        devices.insert(device)
                    }
                }
            }
            return devices
        }
    }

    /// Maximum number of linked reports, so that a person who claims many invented phones keeps nobody waiting.
    private static let mostLinkedReports = 200
}

extension ExposureSummary {
    fileprivate init(_ row: SQLRow, of subject: SubjectIdentity) {
        self.init(
            subject: subject, place: row.integer(0), start: row.integer(1), end: row.integer(2),
            minutes: Double(row.integer(3)) / 1000, clockIsDoubtful: row.integer(5) != 1,
            way: Exposure.Way(rawValue: row.text(6) ?? "") ?? .together)
    }
}

extension SQLSession {
    /// Whether all readings of a period have expired.
    fileprivate func areReadingsGone(from start: Int64, to end: Int64) throws -> Bool {
        let blocks = [ReadingBlock(containing: max(0, start)), ReadingBlock(containing: max(0, end))]
        let isThere = try first(
            "SELECT 1 FROM listening WHERE id >= $1 AND id < $2 LIMIT 1",
            [InteractionStore.bounds(blocks[0])[0], InteractionStore.bounds(blocks[1])[1]]
        ) { _ in true }
        if isThere == true { return false }
        return try first(
            "SELECT 1 FROM reading WHERE block >= $1 AND block <= $2 LIMIT 1",
            blocks.map { .integer($0.number) }
        ) { _ in true } == nil
    }
}

extension SQLSession {
    /// Whether a report still is of its type, and as much of it waits for an officer as when it was read.
    fileprivate func isStill(_ report: FiledReport) throws -> Bool {
        let type = try first("SELECT type FROM report WHERE id = $1", [.integer(report.number)]) { $0.text(0) }
        return try type == report.positive.reportType.rawValue && waiting(of: report.number) == report.waiting
    }
}
