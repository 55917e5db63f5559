package import Matching

extension InteractionStore {
    /// An exposure as the exposed subject may know it.
    package struct StoredExposure: RiskContribution {
        package var subject: SubjectIdentity
        package var place: Int64
        /// Seconds since 1970.
        package var start: Int64
        package var end: Int64
        /// What the policy counts.
        package var minutes: Double
        /// Whether the clock of a gateway that told of it wasn't synchronized.
        package var clockIsDoubtful: Bool
        package var way: Exposure.Way

        package init(
            subject: SubjectIdentity, place: Int64, start: Int64, end: Int64, minutes: Double,
            clockIsDoubtful: Bool = false, way: Exposure.Way = .beacon
        ) {
            self.way = way
            self.subject = subject
            self.place = place
            self.start = start
            self.end = end
            self.minutes = minutes
            self.clockIsDoubtful = clockIsDoubtful
        }

        /// In the place of the whole document that an earlier version kept: words.
        private static let doubt = "clock"
        fileprivate static let together = "together"
        fileprivate var document: String {
            [clockIsDoubtful ? Self.doubt : nil, way == .together ? Self.together : nil].compactMap(\.self)
                .joined(separator: " ")
        }

        fileprivate static func words(_ document: String?) -> [Substring] { (document ?? "").split(separator: " ") }

        fileprivate init(_ row: SQLRow, of subject: SubjectIdentity) {
            let words = Self.words(row.text(5))
            self.init(
                subject: subject, place: row.integer(0), start: row.integer(1), end: row.integer(2),
                minutes: Double(row.integer(3)) / 1000, clockIsDoubtful: words.contains { $0 == Self.doubt },
                way: words.contains { $0 == Self.together } ? .together : .beacon)
        }

        /// As it is stored.
        fileprivate var milliminutes: Int64 { Int64((min(minutes, 1e9) * 1000).rounded()) }
    }

    /// Puts what follows from a report in the place of what followed from it before. What was found before the report, or
    /// somebody, was erased isn't kept.
    ///
    /// - Parameters:
    ///   - leftOut: `ExposureSearch.Findings.leftOut`: what was found at their places before and isn't now stays, since nobody
    ///     looked there.
    ///   - keepsForgotten: whether what was found by minutes together stays where the readings have gone since: there nobody can
    ///     look any more.
    /// - Returns: whose exposures changed.
    /// - Throws: `StoreError`.
    package func setExposures(
        _ exposures: [StoredExposure], of report: Int64, leftOut: Set<EncounterSource> = [],
        keepsForgotten: Bool = true
    ) throws -> Set<SubjectIdentity> {
        struct Key: Hashable {
            var subject: SubjectIdentity
            var place: Int64
            var start: Int64
        }
        return try storing { session in
            let isThere = try session.first("SELECT count(*) FROM report WHERE id = $1", [.integer(report)]) {
                $0.integer(0) > 0
            }
            guard isThere == true else { return [] }
            let exposures = exposures.filter { !wasErased($0.subject, since: $0.start) }
            struct Rest: Equatable {
                var end: Int64
                var milliminutes: Int64
                var document: String
            }
            var before: [Key: Rest] = [:]
            try session.query(
                "SELECT kind, name, place, started, ended, milliminutes, document FROM exposure WHERE report = $1",
                [.integer(report)]
            ) { row in
                guard let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                before[Key(subject: subject, place: row.integer(2), start: row.integer(3))] = Rest(
                    end: row.integer(4), milliminutes: row.integer(5), document: row.text(6) ?? "")
            }
            var changed: Set<SubjectIdentity> = []
            var rows: [Key: [SQLValue]] = [:]
            for exposure in exposures {
                let key = Key(subject: exposure.subject, place: exposure.place, start: exposure.start)
                let found = Rest(
                    end: exposure.end, milliminutes: exposure.milliminutes, document: exposure.document)
                guard before.removeValue(forKey: key) != found else { continue }
                changed.insert(exposure.subject)
                rows[key] = [
                    .integer(report), .text(key.subject.kind), .text(key.subject.id), .integer(key.place),
                    .integer(key.start), .integer(exposure.end), .integer(exposure.milliminutes),
                    .text(exposure.document),
                ]
            }
            // Of each gateway that was left out what it had told before, and no more people than it could expose at once.
            let unseen = try places(of: leftOut, session)
            let kept = Dictionary(grouping: before.keys.filter { unseen[$0.place] != nil }) { unseen[$0.place] ?? "" }
            for keys in kept.values {
                let subjects = Set(Set(keys.map(\.subject)).sorted().prefix(ExposureBound.mostByOne))
                for key in keys where subjects.contains(key.subject) { before[key] = nil }
            }
            if keepsForgotten {
                for (key, rest) in before
                where StoredExposure.words(rest.document).contains(where: { $0 == StoredExposure.together }) {
                    if try session.areReadingsGone(from: key.start, to: rest.end) { before[key] = nil }
                }
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

    /// The days of a time in which subjects were heard, and of which there are no readings any more, since 1970, ascending. Where
    /// there have never been readings, none.
    ///
    /// - Throws: `StoreError`.
    func daysWithoutReadings(of positives: [Positive]) throws -> [Int64] {
        try database.read { session in
            let known = try session.readingBlocks(session.unsettledBlocks())
            // Whoever has ever published readings is a receiver: without any that are left all are gone.
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

    /// The places of gateways whose word wasn't looked at, with the gateways; all places when that is so of phones.
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

    /// The numbers of the subjects that a report exposed.
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

    /// What is known of a subject's exposures, the latest first; to one person once, who may have reported several times. Of an hour
    /// those with the most minutes, `mostOfAnHour`: many of one day hide no other day, wherever days begin.
    ///
    /// - Parameter end: only what ended before, in seconds since 1970. Of what ended later nothing is read.
    /// - Throws: `StoreError`.
    package func exposures(of subject: SubjectIdentity, endedBefore end: Int64? = nil) throws -> [StoredExposure] {
        try database.read { session in
            var found: [(report: Int64, exposure: StoredExposure)] = []
            try session.query(
                "SELECT place, started, ended, milliminutes, report, document FROM ("
                    + "SELECT place, started, ended, milliminutes, report, document, ROW_NUMBER() OVER ("
                    + "PARTITION BY started / 3600 ORDER BY milliminutes DESC, started DESC, place, report) AS place_of_hour "
                    + "FROM exposure WHERE name = $1 AND kind = $2 AND ended < $3) AS e "
                    + "WHERE place_of_hour <= \(Self.mostOfAnHour * Self.mostReportsOfOne) "
                    + "ORDER BY started DESC, place, report LIMIT \(Self.mostExposuresOfOne)",
                [.text(subject.id), .text(subject.kind), .integer(end ?? .max)]
            ) { row in
                found.append((row.integer(4), StoredExposure(row, of: subject)))
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

    /// Reports `a` and `b` that have a phone or badge of one owner in common: names that only who has their secret can
    /// report. Codes and seeds anybody can, and they are many.
    ///
    /// A phone's id is its own for ever. A badge is handed on: it says who somebody is as long as the time in which it was
    /// theirs, by what they knew when they reported, is the other's too.
    private static let sameOwner = """
        FROM report_subject a JOIN report_subject b ON b.name = a.name AND b.kind = a.kind \
        AND a.kind IN (\(ownedKinds)) AND a.pending = 0 AND b.pending = 0 AND b.since <= a.until AND a.since <= b.until \
        JOIN report ra ON ra.id = a.report JOIN report rb ON rb.id = b.report \
        AND (a.kind = '\(SubjectIdentity.phone)' OR b.since <= ra.received AND a.since <= rb.received)
        """

    /// By themselves in the condition, for the key by report and kind: there are thousands of codes to a phone.
    private static let ownedKinds = "'\(SubjectIdentity.phone)', '\(SubjectIdentity.badge)'"

    /// How often one person reports at most, for all that is looked at because of it.
    private static let mostReportsOfOne = 10

    /// The phones and badges of whoever made a report, also by other reports of theirs, from one to the next.
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

    /// Somebody who says of many invented phones that they are theirs keeps nobody waiting.
    private static let mostLinkedReports = 200
}

extension SQLSession {
    /// Whether nothing is left of what receivers heard in a time.
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
