import BeaconModel
package import Matching
import OperatorText
package import RecordContract

/// Conversion of a request to a report that can be stored. Pure: all that it depends on is given.
package struct ReportReading: Sendable {
    package var secrets: SubjectSecrets
    /// Versions of the secrets of the subjects that the request names.
    package var versions: [SubjectIdentity: Int64]
    /// Registration times of commitments by the phones that the request names, in seconds since 1970.
    package var commitments: [CodeCommitment: Int64] = [:]
    /// Present and former keys by which gateways name phones; without them rotating codes cannot be found in records.
    package var pseudonymizers: [Pseudonymizer]
    /// Sites that occur in gateways' records.
    package var sites: [String]
    /// Policy of the site, by whose days onset and test are counted.
    package var policy: Policy
    /// The present time, in seconds since 1970.
    package var now: Int64

    package init(
        secrets: SubjectSecrets, versions: [SubjectIdentity: Int64], commitments: [CodeCommitment: Int64] = [:],
        pseudonymizers: [Pseudonymizer], sites: [String], policy: Policy, now: Int64
    ) {
        self.secrets = secrets
        self.versions = versions
        self.commitments = commitments
        self.pseudonymizers = pseudonymizers
        self.sites = sites
        self.policy = policy
        self.now = now
    }

    package static let day: Int64 = 86_400
    /// Number of days before the report for which a subject's records matter.
    var daysBack: Int64 { policy.risk.days }
    private static let mostSeedsOfDay = 2
    /// Tolerance for the reporters' clocks, in seconds.
    package static let tolerance: Int64 = 120

    /// Makes a report from a request.
    ///
    /// - Parameters:
    ///   - claims: claims of a verified token; without them the report is self-reported.
    ///   - reference: random reference.
    /// - Returns: the report, and how many of its codes wait for a health officer.
    package func report(
        _ request: ReportRequest, claims: VerificationClaims?, reference: String
    ) throws(APIError) -> (report: PositiveReport, pending: Int) {
        var subjects = try own(request.subjects)
        if let claims, let index = subjects.firstIndex(where: { !claims.subjects.contains($0.identity.description) }) {
            throw .forbidden(
                "subjects[\(index)] is not a subject of the verification",
                "report only the subjects in its sub and names")
        }
        let test = try testDay(request, claims)
        let onset = try day(claims?.onset ?? request.onset, "onset")
        if let result = request.test?.result, result != "positive" {
            throw .invalid(
                "test.result", "found \(result.excerpt)", "must be \"positive\": only positive results can be reported")
        }
        let positive = PositiveCase(
            reportType: claims == nil ? .selfReported : .confirmed, onset: onset, test: test)
        try check(positive)
        try check(request.symptoms)
        let window = positive.window(lookback: daysBack, received: now, days: policy.days)
        subjects = subjects.map {
            // A phone's stays are its own claim: none after its report counts for it.
            let until = $0.identity.kind == SubjectIdentity.phone ? min(window.until, now) : window.until
            return .init(identity: $0.identity, since: max($0.since, window.since), until: until)
        }
        try checkCounts(request)
        // Otherwise they would be derived and kept for nothing.
        let isIdle = claims == nil && policy.reportTypes.selfReported == 0
        // The transmitted codes of a verified report are published. Badges and phone ids are not: a badge is known by
        // sight, and a phone's own id is never transmitted, but anybody who has it could look it up in the list.
        let isListed = claims != nil
        var codes = try committedSubjects(isIdle ? [] : request.commitments ?? [], window)
        codes += try codeSubjects(isIdle ? [] : request.codes ?? [], window)
        let seeds = try seedDerivations(isIdle ? [] : request.seeds ?? [], window, isListed: isListed)
        let keys = try keyDerivations(isIdle ? [] : request.keys ?? [], window, isListed: isListed)
        let report = PositiveReport(
            reference: reference, received: now, positive: positive,
            symptoms: request.symptoms.map { String(decoding: JSON.encode($0), as: UTF8.self) },
            subjects: subjects + codes.subjects,
            entries: isListed ? codes.entries : [],
            derivations: seeds + keys)
        return (report, codes.pending + (isListed ? codes.unpublished : 0))
    }

    /// Returns the subjects whose secrets are right.
    package func proven(_ request: ReportRequest) -> [SubjectIdentity] {
        request.subjects.prefix(ReportRequest.mostSubjects).compactMap { subject in
            SubjectIdentity(writtenKind: subject.kind, id: subject.id).flatMap { identity in
                secrets.isRight(subject.secret, for: identity, version: versions[identity] ?? 0) ? identity : nil
            }
        }
    }

    /// Returns the proven names, each from the time at which it became the reporter's own, and without an end.
    private func own(_ subjects: [ReportRequest.Subject]) throws(APIError) -> [PositiveReport.Subject] {
        guard (1...ReportRequest.mostSubjects).contains(subjects.count) else {
            throw .invalid(
                "subjects", "has \(subjects.count) entries", "must have 1 to \(ReportRequest.mostSubjects)")
        }
        var own: [PositiveReport.Subject] = []
        for (index, subject) in subjects.enumerated() {
            let identity = try SubjectIdentity.named(subject.kind, subject.id, at: index)
            guard secrets.isRight(subject.secret, for: identity, version: versions[identity] ?? 0) else {
                throw .forbidden(
                    "subjects[\(index)] has a wrong secret", "send the secret that was issued with the id")
            }
            let since = try subject.since.map { text throws(APIError) in
                try time(text, "subjects[\(index)].since")
            }
            own.append(.init(identity: identity, since: since ?? .min, until: .max))
        }
        return own
    }

    private func testDay(
        _ request: ReportRequest, _ claims: VerificationClaims?
    ) throws(APIError) -> Int64? {
        let reported = try day(request.test?.date, "test.date")
        let vouched = try day(claims?.testDate, "test_date of the verification")
        if let reported, let vouched, reported != vouched {
            throw .invalid("test.date", "differs from the day that the health authority confirmed", "must be that day")
        }
        return vouched ?? reported
    }

    /// Checks that something can follow from a case.
    private func check(_ positive: PositiveCase) throws(APIError) {
        let window = positive.window(lookback: daysBack, received: now, days: policy.days)
        let days = CaseDays(
            policy: policy, since: max(window.since, now - daysBack * Self.day), until: window.until,
            usual: now - daysBack * Self.day, latest: latestDay)
        if let mistake = days.mistake(in: positive) {
            throw .invalid(mistake.key == .onset ? "onset" : "test.date", mistake.found, mistake.allowed)
        }
        guard window.until < now - daysBack * Self.day else { return }
        throw .invalid(
            positive.onset == nil ? "test.date" : "onset",
            "is so early that contacts count only until \(policy.days.text(window.until))",
            "must be at most \(daysBack + PositiveCase.daysAhead) days ago: older contacts are not notified")
    }

    /// The latest possible day: it is tomorrow already where the sun rises first.
    private var latestDay: Int64 { policy.days.day(of: now) + 1 }

    private func check(_ symptoms: ReportRequest.Symptoms?) throws(APIError) {
        guard let symptoms else { return }
        if let result = symptoms.testResult, !["positive", "negative", "pending"].contains(result) {
            throw .invalid(
                "symptoms.testResult", "found \(result.excerpt)", "must be \"positive\", \"negative\" or \"pending\"")
        }
        if let update = symptoms.lastUpdate { _ = try time(update, "symptoms.lastUpdate") }
    }

    private func checkCounts(_ request: ReportRequest) throws(APIError) {
        for (name, count, most) in [
            ("codes", request.codes?.count ?? 0, ReportRequest.mostCodes),
            ("seeds", request.seeds?.count ?? 0, ReportRequest.mostSeeds),
            ("keys", request.keys?.count ?? 0, ReportRequest.mostKeys),
            ("commitments", request.commitments?.count ?? 0, ReportRequest.mostCommitments),
            ("commitments[].codes", request.committedCodes, ReportRequest.mostCodes),
        ] where count > most {
            throw .invalid(name, "has \(count) entries", "must have at most \(most)")
        }
    }

    /// Returns the number of names that must be derived for a report, which is its cost.
    package func work(for request: ReportRequest) -> Int {
        let sites = namesPerCode
        let seeds = (request.seeds?.count ?? 0) * C19XCodes.codesPerDay
        let codes = (request.codes ?? []).reduce(0) { sum, code in
            guard let since = RFC3339Text.parse(code.since), let until = RFC3339Text.parse(code.until) else {
                return sum + 1
            }
            let days = until.microseconds / 86_400_000_000 - since.microseconds / 86_400_000_000 + 1
            return sum + Int(min(max(1, days), daysBack + 2))
        }
        // Includes two hours before and after the key's day.
        let keys = (request.keys?.count ?? 0) * Int(ExposureKey.longestPeriod * 7 / 6)
        return (codes + request.committedCodes + seeds + keys) * sites
    }

    /// Returns the names and entries that follow from seeds.
    ///
    /// - Parameter window: the time in which contacts matter; a day outside of it is left out.
    private func seedDerivations(
        _ seeds: [ReportRequest.Seed], _ window: (since: Int64, until: Int64), isListed: Bool
    ) throws(APIError) -> [PositiveReport.Derivation] {
        var derivations: [PositiveReport.Derivation] = []
        var perDay: [Int64: Int] = [:]
        for (index, seed) in seeds.enumerated() {
            let place = "seeds[\(index)]"
            guard seed.scheme == PositiveScheme.c19x.rawValue else {
                throw .invalid("\(place).scheme", "found \(seed.scheme.excerpt)", "must be \"c19x\"")
            }
            guard let value = Int64(seed.seed), let day = try day(seed.day, "\(place).day") else {
                throw .invalid("\(place).seed", "found \(seed.seed.excerpt)", "must be a whole number of 64 bits")
            }
            // A phone has one seed a day, and another if the app was installed anew. The list shows the seeds of a day
            // one after the other.
            perDay[day, default: 0] += 1
            guard perDay[day, default: 0] <= Self.mostSeedsOfDay else {
                throw .invalid(
                    "\(place).day", "already has \(Self.mostSeedsOfDay) seeds",
                    "must be another day: a phone has one seed per day")
            }
            // From now on the seed is no secret: any reader of the list can transmit its codes.
            let own = (
                since: max(day * Self.day, window.since), until: min((day + 2) * Self.day - 1, window.until, now)
            )
            guard (0..<PositiveList.days).contains(now / Self.day - day), own.since < (day + 1) * Self.day,
                own.since <= own.until
            else { continue }
            let subjects = C19XCodes.beaconCodes(seed: value).flatMap { code in
                identities(.user(.c19x, UInt64(bitPattern: code)), day: day).map {
                    PositiveReport.Subject(identity: $0, since: own.since, until: own.until)
                }
            }
            let entry = PositiveReport.Entry(
                scheme: PositiveScheme.c19x.rawValue, value: PositiveScheme.seedEntry(day: day, seed: value))
            derivations.append(.init(place: place, subjects: subjects, entries: [entry], isListed: isListed))
        }
        return derivations
    }

    /// Number of names for each day of a code. Each costs two HMACs, and may become a row.
    var namesPerCode: Int { pseudonymizers.count * sites.count }

    /// Returns the names of a code in records of a day, at each site and under each key.
    package func identities(_ code: RotatingCode, day: Int64) -> [SubjectIdentity] {
        let text = Timestamp(microseconds: day * Self.day * 1_000_000).day
        return pseudonymizers.flatMap { pseudonymizer in
            sites.compactMap { site in
                let id =
                    switch code {
                    case .user(let app, let code):
                        pseudonymizer.pseudonym(ofUser: code, app: app, site: site, day: text)
                    case .exposureNotification(let identifier):
                        pseudonymizer.pseudonym(of: identifier, site: site, day: text)
                    }
                return SubjectIdentity(kind: code.kind, id: id)
            }
        }
    }

    package func time(_ text: String, _ place: String) throws(APIError) -> Int64 {
        guard let time = RFC3339Text.parse(text) else {
            throw .invalid(place, "found \(text.excerpt)", "must be a time: 2026-11-02T09:30:00Z")
        }
        let seconds = time.microseconds / 1_000_000
        guard seconds <= now + Self.tolerance else { throw .invalid(place, "is in the future", "must be in the past") }
        return seconds
    }

    /// Reads a day, in days since 1970.
    package func day(_ text: String?, _ place: String) throws(APIError) -> Int64? {
        guard let text else { return nil }
        guard let day = DayText.parse(text) else {
            throw .invalid(place, "found \(text.excerpt)", "must be \(DayText.form)")
        }
        guard day <= latestDay else { throw .invalid(place, "is in the future", "must be in the past") }
        return day
    }
}
