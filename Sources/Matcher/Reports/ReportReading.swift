import BeaconModel
import InteractionStore
import MQTTBridge
import Matching
import OperatorText

/// Makes of what was sent a report that can be stored. Pure: everything that it depends on is given.
struct ReportReading: Sendable {
    var secrets: SubjectSecrets
    /// By which gateways name phones; without it rotating codes can't be found in records.
    var pseudonymizer: Pseudonymizer?
    /// Sites that gateways have told of.
    var sites: [String]
    /// The site's, by whose days onset and test are counted.
    var policy: Policy
    /// Seconds since 1970.
    var now: Int64

    private static let day: Int64 = 86_400
    /// For how many days before the report a subject's records matter.
    private var daysBack: Int64 { policy.risk.days }
    /// Of the clocks of those who report.
    private static let tolerance: Int64 = 120

    /// - Parameters:
    ///   - claims: of a token that was verified; without one the report is nobody's word but the subject's.
    ///   - reference: random.
    func report(
        _ request: ReportRequest, claims: VerificationClaims?, reference: String
    ) throws(APIError) -> PositiveReport {
        var subjects = try own(request.subjects)
        if let subject = claims?.subject, !subjects.contains(where: { $0.identity.description == subject }) {
            throw .forbidden("the verification is for somebody else", "report with the subject that it was issued for")
        }
        let test = try testDay(request, claims)
        let onset = try day(claims?.onset ?? request.onset, "onset")
        if let result = request.test?.result, result != "positive" {
            throw .invalid("test.result", "found \(result.excerpt)", "must be \"positive\": only those are reported")
        }
        let positive = PositiveCase(
            reportType: claims == nil ? .selfReported : .confirmed, onset: onset, test: test)
        try check(positive)
        try check(request.symptoms)
        let window = positive.window(lookback: daysBack, received: now, days: policy.days)
        subjects = subjects.map {
            .init(identity: $0.identity, since: max($0.since, window.since), until: window.until)
        }
        var codes = try codeSubjects(request.codes ?? [], window)
        var seeds = try seedSubjects(request.seeds ?? [], window)
        if claims == nil, policy.reportTypes.selfReported == 0 {
            // They would be kept for nothing.
            codes = ([], [])
            seeds = ([], [])
        }
        return PositiveReport(
            reference: reference, received: now, positive: positive,
            symptoms: request.symptoms.map { String(decoding: JSON.encode($0), as: UTF8.self) },
            subjects: subjects + codes.subjects + seeds.subjects,
            // A badge is known by sight: it isn't published. Nor is what nobody vouches for.
            entries: claims == nil
                ? []
                : !PositiveList.concerns(window.until, now: now)
                    ? codes.entries + seeds.entries
                    : subjects.map(\.identity).filter { $0.kind == SubjectIdentity.phone }
                        .map(PositiveReport.Entry.init(listing:)) + codes.entries + seeds.entries)
    }

    /// Names that were proven, since they became the reporter's own, and without an end.
    private func own(_ subjects: [ReportRequest.Subject]) throws(APIError) -> [PositiveReport.Subject] {
        guard (1...ReportRequest.mostSubjects).contains(subjects.count) else {
            throw .invalid(
                "subjects", "has \(subjects.count) entries", "must have 1 to \(ReportRequest.mostSubjects)")
        }
        var own: [PositiveReport.Subject] = []
        for (index, subject) in subjects.enumerated() {
            guard let identity = SubjectIdentity(writtenKind: subject.kind, id: subject.id),
                [SubjectIdentity.phone, SubjectIdentity.badge].contains(identity.kind)
            else {
                throw .invalid(
                    "subjects[\(index)]", "found \("\(subject.kind):\(subject.id)".excerpt)",
                    "must be a phone, or a badge: its id is UUID/MAJOR/MINOR")
            }
            guard secrets.isRight(subject.secret, for: identity) else {
                throw .forbidden(
                    "subjects[\(index)] has another secret", "give the secret that was issued with the id")
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
            throw .invalid("test.date", "isn't the day that the health authority vouches for", "must be that day")
        }
        return vouched ?? reported
    }

    /// Whether something can follow.
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
            "is so long ago that contacts count only until \(policy.days.text(window.until))",
            "must be at most \(daysBack + PositiveCase.daysAhead) days ago: nobody is told of older contacts")
    }

    /// It is tomorrow already where the sun rises first.
    private var latestDay: Int64 { policy.days.day(of: now) + 1 }

    private func check(_ symptoms: ReportRequest.Symptoms?) throws(APIError) {
        guard let symptoms else { return }
        if let result = symptoms.testResult, !["positive", "negative", "pending"].contains(result) {
            throw .invalid(
                "symptoms.testResult", "found \(result.excerpt)", "must be \"positive\", \"negative\" or \"pending\"")
        }
        if let update = symptoms.lastUpdate { _ = try time(update, "symptoms.lastUpdate") }
    }

    /// - Parameter window: the time in which contacts matter; a code of another time is left out.
    private func codeSubjects(
        _ codes: [ReportRequest.Code], _ window: (since: Int64, until: Int64)
    ) throws(APIError) -> (subjects: [PositiveReport.Subject], entries: [PositiveReport.Entry]) {
        guard codes.count <= ReportRequest.mostCodes else {
            throw .invalid("codes", "has \(codes.count) entries", "must have \(ReportRequest.mostCodes) at most")
        }
        var subjects: [PositiveReport.Subject] = []
        var entries: [PositiveReport.Entry] = []
        for (index, code) in codes.enumerated() {
            let place = "codes[\(index)]"
            let since = try time(code.since, "\(place).since")
            let until = try time(code.until, "\(place).until")
            guard since <= until, until - since <= Self.day * 31 else {
                throw .invalid(
                    place, "has since after until, or a month apart", "must be a time in which one code was said")
            }
            let said = try RotatingCode(code, place)
            // Longer ago than anybody compares with.
            guard PositiveList.concerns(until, now: now), since <= window.until, until >= window.since else { continue }
            for day in since / Self.day...until / Self.day where now / Self.day - day <= daysBack {
                // An interaction keeps its name when the day ends.
                let own = (
                    since: max(since, day * Self.day, window.since),
                    until: min(until, (day + 2) * Self.day - 1, window.until)
                )
                if own.since > own.until { continue }
                for identity in identities(said, day: day) {
                    subjects.append(.init(identity: identity, since: own.since, until: own.until))
                }
            }
            entries.append(
                .init(
                    scheme: PositiveScheme.id.rawValue,
                    value: PositiveScheme.digest(kind: said.kind, id: said.text)))
        }
        return (subjects, entries)
    }

    /// - Parameter window: the time in which contacts matter; a day outside of it is left out.
    private func seedSubjects(
        _ seeds: [ReportRequest.Seed], _ window: (since: Int64, until: Int64)
    ) throws(APIError) -> (subjects: [PositiveReport.Subject], entries: [PositiveReport.Entry]) {
        guard seeds.count <= ReportRequest.mostSeeds else {
            throw .invalid("seeds", "has \(seeds.count) entries", "must have \(ReportRequest.mostSeeds) at most")
        }
        var subjects: [PositiveReport.Subject] = []
        var entries: [PositiveReport.Entry] = []
        for (index, seed) in seeds.enumerated() {
            let place = "seeds[\(index)]"
            guard seed.scheme == PositiveScheme.c19x.rawValue else {
                throw .invalid("\(place).scheme", "found \(seed.scheme.excerpt)", "must be \"c19x\"")
            }
            guard let value = Int64(seed.seed), let day = try day(seed.day, "\(place).day") else {
                throw .invalid("\(place).seed", "found \(seed.seed.excerpt)", "must be a whole number of 64 bits")
            }
            let own = (
                since: max(day * Self.day, window.since), until: min((day + 2) * Self.day - 1, window.until)
            )
            guard (0..<PositiveList.days).contains(now / Self.day - day), own.since < (day + 1) * Self.day,
                own.since <= own.until
            else { continue }
            for code in C19XCodes.beaconCodes(seed: value) {
                for identity in identities(.user(.c19x, UInt64(bitPattern: code)), day: day) {
                    subjects.append(.init(identity: identity, since: own.since, until: own.until))
                }
            }
            entries.append(
                .init(
                    scheme: PositiveScheme.c19x.rawValue, value: PositiveScheme.seedEntry(day: day, seed: value)))
        }
        return (subjects, entries)
    }

    /// As records of that day name it, at each site.
    private func identities(_ code: RotatingCode, day: Int64) -> [SubjectIdentity] {
        guard let pseudonymizer else { return [] }
        let text = Timestamp(microseconds: day * Self.day * 1_000_000).day
        return sites.compactMap { site in
            let id =
                switch code {
                case .user(let app, let code): pseudonymizer.pseudonym(ofUser: code, app: app, site: site, day: text)
                case .exposureNotification(let identifier):
                    pseudonymizer.pseudonym(of: identifier, site: site, day: text)
                }
            return SubjectIdentity(kind: code.kind, id: id)
        }
    }

    private func time(_ text: String, _ place: String) throws(APIError) -> Int64 {
        guard let time = RFC3339Text.parse(text) else {
            throw .invalid(place, "found \(text.excerpt)", "must be a time: 2026-11-02T09:30:00Z")
        }
        let seconds = time.microseconds / 1_000_000
        guard seconds <= now + Self.tolerance else { throw .invalid(place, "is in the future", "must be past") }
        return seconds
    }

    /// Days since 1970.
    private func day(_ text: String?, _ place: String) throws(APIError) -> Int64? {
        guard let text else { return nil }
        guard let day = DayText.parse(text) else {
            throw .invalid(place, "found \(text.excerpt)", "must be \(DayText.form)")
        }
        guard day <= latestDay else { throw .invalid(place, "is in the future", "must be past") }
        return day
    }
}
