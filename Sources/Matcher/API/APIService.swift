import Evidence
import Crypto
import FoundationEssentials
import HTTPTypes
import InteractionStore
import Logging
import Matching
import OperatorText
import RecordContract
import SystemIO

/// Operations of the API and their answers.
struct APIService: Sendable {
    var store: SharedStore
    var policy: Policy
    var secrets: SubjectSecrets
    var verifier: ReportVerifier
    var pseudonymizers: [Pseudonymizer]
    var pages: PositivePages
    var notices: NoticeBoard
    var topicPrefix: String
    /// Request budgets by subject.
    var budgets: LockedValue<RequestBudgets>
    /// Budgets of stays by client address: enrolling phones is free, and the stays that they report are kept for days.
    var stayBudgets: LockedValue<RequestBudgets>
    var enrolmentTries = LockedValue(EnrolmentTries())
    /// Operators who can see attendance and occupancy.
    var operators: [OperatorCredential]
    var occupancy: OccupancySearch
    var gateways: GatewayWatch
    var configuration: MatcherConfiguration
    var attendanceFiles = AttendanceReader()
    /// Operators with a request for attendance in progress.
    var attendanceAskers = LockedValue<Set<String>>([])
    /// The present time, in seconds since 1970.
    var now: @Sendable () -> Int64

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - client: the client's address.
    ///   - secret: from the header `Authorization`.
    ///   - tag: from the header `If-None-Match`.
    /// - Throws: `APIError`; `StoreError`.
    func answer(
        _ route: APIRoute, query: [String: String] = [:], body: [UInt8], secret: String?, tag: String?,
        client: String
    ) async throws -> APIAnswer {
        switch route {
        case .openAPI: return .json(.ok, OpenAPIDocument.bytes)
        case .keys: return .json(.ok, pages.publicKeys)
        case .positives: return answer(try await pages.index(now: now()), tag)
        case .positivesOfDay(let day):
            guard let page = try await pages.page(ofDay: day, now: now()) else { throw APIError.notFound }
            return answer(page, tag)
        case .newPhone: return .json(.created, JSON.encode(try await enrol(body, client)))
        case .interactions: return try await interactions(body, secret, client)
        case .commitments: return try await commit(body, secret)
        case .reports: return try await report(body, client)
        case .risk(let subject):
            try await authorize(subject, secret)
            let now = now()
            return .json(.ok, JSON.encode(document(of: try await told(subject, now: now), now: now)))
        case .exposures(let subject):
            try await authorize(subject, secret)
            let documents = telling.documents(of: try await told(subject, now: now()), subject: subject)
            return .json(.ok, Array(#"{"exposures":[\#(documents.joined(separator: ","))]}"#.utf8))
        case .exposuresRead(let subject):
            try await authorize(subject, secret)
            let read = try ReadNotice(body)
            if try await work({ try $0.seen(subject, where: read.covers) }) { notices.wake() }
            return .empty
        case .events(let subject):
            let version = try await authorize(subject, secret)
            guard let events = notices.events(for: subject, version: version, to: client) else {
                throw APIError.tooMany(retryAfter: 60)
            }
            return .events(events)
        case .checkIns: return try await checkIn(body, secret)
        case .attendance:
            let name = try authorizeOperator(secret)
            // Each request takes seconds and tens of megabytes.
            guard attendanceAskers.withLock({ $0.insert(name).inserted }) else { throw APIError.alreadyAsking }
            defer { attendanceAskers.withLock { _ = $0.remove(name) } }
            return .json(.ok, JSON.encode(try await attendance(query)))
        case .occupancy:
            try authorizeOperator(secret)
            if let key = query.keys.min() {
                throw APIError.invalid(key.excerpt, "isn't known", "all rooms and floors are told at once")
            }
            let now = now()
            let documents = try await work { [occupancy, gateways] store in
                try occupancy.documents(store, heard: gateways.working(in: store, now: now), now: now)
            }
            return .json(.ok, JSON.encode(documents))
        }
    }

    private func answer(_ page: PositivePages.Page, _ tag: String?) -> APIAnswer {
        let tags = tag?.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } } ?? []
        return tags.contains { $0 == page.tag || $0 == "W/" + page.tag || $0 == "*" } ? .notModified(page) : .page(page)
    }

    /// Runs work with the store on a thread of its own, so that no shared thread is blocked.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (InteractionStore) throws -> Value
    ) async throws -> Value {
        try await DedicatedThread.run(name: "api") { [store] in Result { try store.use { try body($0) } } }.get()
    }

    /// Returns the name of the operator with this token, for the log; `nil` if there is none.
    func operatorName(of token: String?) -> String? { OperatorCredential.name(of: token, among: operators) }

    /// Checks a subject's secret and charges the subject's budget.
    ///
    /// - Returns: the version of the secret.
    @discardableResult
    func authorize(_ subject: SubjectIdentity, _ secret: String?) async throws -> Int64 {
        guard let version = try await version(of: secret, for: subject) else { throw APIError.unauthorized }
        ProvenSubjects.note(subject)
        if let seconds = budgets.withLock({ $0.take("s \(subject)", now: MonotonicSeconds.elapsed) }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        return version
    }

    func isRight(_ secret: String?, for subject: SubjectIdentity) async throws -> Bool {
        try await version(of: secret, for: subject) != nil
    }

    /// Returns the version of a subject's secret. It is read from the store, because another process may have renewed
    /// the secret a moment ago.
    ///
    /// - Returns: `nil` for a wrong secret.
    private func version(of secret: String?, for subject: SubjectIdentity) async throws -> Int64? {
        guard let secret else { return nil }
        let version = try await work { try $0.secretVersions(of: [subject])[subject] ?? 0 }
        return secrets.isRight(secret, for: subject, version: version) ? version : nil
    }

    // MARK: Phones

    private struct NewPhone: Encodable {
        var id: String
        var secret: String
        /// Topic for notices of exposures.
        var topic: String
    }

    private struct EnrolmentRequest: Decodable {
        var code: String
    }

    private func enrol(_ body: [UInt8], _ client: String) async throws -> NewPhone {
        guard configuration.phones.needsCode else { return newPhone() }
        let request = try JSONBody.decode(EnrolmentRequest.self, from: body)
        if let seconds = enrolmentTries.withLock({ $0.take(client, now: MonotonicSeconds.elapsed) }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        let now = now()
        guard let code = EnrolmentCode.parse(request.code), try await work({ try $0.enrol(code: code, now: now) })
        else {
            throw APIError.noEnrolment
        }
        enrolmentTries.withLock { $0.succeeded(client) }
        return newPhone()
    }

    private func newPhone() -> NewPhone {
        let bytes = SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)
        let id = Base64URL.encode(bytes)
        guard let phone = SubjectIdentity(kind: SubjectIdentity.phone, id: id) else {
            preconditionFailure("base64url is a subject's id")
        }
        return NewPhone(
            id: id, secret: secrets.secret(of: phone),
            topic: NoticeTopic.topic(prefix: topicPrefix, key: secrets.topicKey(of: phone)))
    }

    private struct Accepted: Encodable {
        var stored: Int
        var refused: [Refused]

        struct Refused: Encodable {
            var index: Int
            var reason: String
        }
    }

    /// Stays that an address can send for each request of its budget, stored or refused.
    static let staysPerRequest = 50

    private func interactions(_ body: [UInt8], _ secret: String?, _ client: String) async throws -> APIAnswer {
        let report = try JSONBody.decode(PhoneReport.self, from: body)
        guard let phone = SubjectIdentity(kind: SubjectIdentity.phone, id: report.phone) else {
            throw APIError.unauthorized
        }
        try await authorize(phone, secret)
        let now = now()
        let settings = configuration.phones
        var (stays, parts) = try PhoneStays.stays(report.interactions, of: phone)
        if !settings.acceptsUnproven {
            for index in stays.indices {
                stays[index].proofs =
                    settings.proofUUID.map {
                        PhoneProof.beacons(
                            uuid: $0, secret: secret ?? "", from: stays[index].start, to: stays[index].end)
                    } ?? []
            }
        }
        if let seconds = stayBudgets.withLock({ $0.take(client, cost: stays.count, now: MonotonicSeconds.elapsed) }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        let outcomes = try await work { [stays] in
            try $0.store(stays, now: now, within: settings.uploadWithin)
        }
        let refused = parts.enumerated().compactMap { index, part -> Accepted.Refused? in
            let outcome = outcomes[part]
            return outcome == .stored ? nil : .init(index: index, reason: outcome.rawValue)
        }
        return .json(.ok, JSON.encode(Accepted(stored: parts.count - refused.count, refused: refused)))
    }

    // MARK: Reports

    /// Maximum number of reports for one subject.
    private static let mostReports = 50

    private struct Reported: Encodable {
        var report: String
        var type: String
        var received: String
        /// Whether exposures follow from the report by the site's policy.
        var counts: Bool
        /// Number of codes that count once a health officer confirms them.
        var pending: Int
        /// Positions of seeds and keys that were published before and add nothing.
        var ignored: [String]
    }

    /// Number of derived names that costs as much as one request.
    static let namesPerRequest = 1000
    /// Maximum number of names derived for one report: those of a fortnight's codes of five minutes at a hundred sites.
    private static let mostNames = 500_000

    private func report(_ body: [UInt8], _ client: String) async throws -> APIAnswer {
        let request = try JSONBody.decode(ReportRequest.self, from: body)
        let now = now()
        var verified: (claims: VerificationClaims, token: PositiveReport.Token)?
        if let token = request.verification { verified = try await verifier.verify(token, now: now) }
        let named = request.subjects.prefix(ReportRequest.mostSubjects).compactMap {
            SubjectIdentity(writtenKind: $0.kind, id: $0.id)
        }
        let spent = verified?.token
        let (isSpent, sites, versions, commitments) = try await work {
            (
                try spent.map($0.isSpent) ?? false, try $0.sites(), try $0.secretVersions(of: named),
                try $0.commitments(of: named.filter { $0.kind == SubjectIdentity.phone })
            )
        }
        // Checked before any names are derived, and answered only to subjects of this verification.
        if isSpent, let verified, named.allSatisfy({ verified.claims.subjects.contains($0.description) }) {
            throw APIError.alreadyUsed
        }
        let reading = ReportReading(
            secrets: secrets, versions: versions, commitments: commitments, pseudonymizers: pseudonymizers,
            sites: sites, policy: policy, now: now)
        // Also for a report that is refused for another reason: the answer reveals that the secret was right.
        for subject in reading.proven(request) { ProvenSubjects.note(subject) }
        // No names are derived for an unconfirmed report where such reports have no effect.
        let derived = verified == nil && policy.reportTypes.selfReported == 0 ? 0 : reading.work(for: request)
        if derived > Self.mostNames {
            throw APIError.invalid(
                "codes, seeds, keys and commitments", "stand for \(derived) names of all sites and keys",
                "may stand for \(Self.mostNames): report fewer days at once")
        }
        if derived >= Self.namesPerRequest,
            let seconds = budgets.withLock({
                $0.take("w \(client)", cost: derived / Self.namesPerRequest, now: MonotonicSeconds.elapsed)
            })
        {
            throw APIError.tooMany(retryAfter: seconds)
        }
        let reference = Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes(Array.init))
        // Hundreds of thousands of names take seconds.
        let claims = verified?.claims
        let (report, pending) = try await DedicatedThread.run(name: "report") {
            Result { try reading.report(request, claims: claims, reference: reference) }
        }.get()
        let owned = Set(report.subjects.map(\.identity)).filter {
            [SubjectIdentity.phone, SubjectIdentity.badge].contains($0.kind)
        }
        let since = report.subjects.map(\.since).min() ?? 0
        let fixed = try await work { try $0.fixedBeacons(among: Array(owned), since: since) }
        if let index = request.subjects.firstIndex(where: { subject in
            SubjectIdentity(writtenKind: subject.kind, id: subject.id).map(fixed.contains) ?? false
        }) {
            throw APIError.invalid(
                "subjects[\(index)]", "is a fixed beacon, which nobody carries", "must be the reporter's own")
        }
        let token = verified?.token
        var ignored: [String] = []
        switch try await work({ try $0.add(report, token: token, limit: Self.mostReports, of: owned) }) {
        case .added(_, let known): ignored = known
        case .tokenSpent: throw APIError.alreadyUsed
        case .tooMany: throw APIError.tooMany(retryAfter: 86_400)
        }
        notices.wake()
        return .json(
            .created,
            JSON.encode(
                Reported(
                    report: reference, type: report.positive.reportType.rawValue, received: InstantText.utc(now),
                    counts: policy.reportTypes[report.positive.reportType] > 0, pending: pending, ignored: ignored)))
    }

    // MARK: Risk

    private struct RiskDocument: Encodable {
        var level: String
        var label: String
        var measure: String
        /// Number of days with exposures.
        var exposures: Int
        var days: Int64
        var policy: ExposureDocument.PolicyName
        /// Reasons to doubt the exposures.
        var missing: [String]
        var asOf: String
    }

    private var telling: ExposureTelling {
        ExposureTelling(
            policy: policy, retention: configuration.retention,
            phoneDelay: configuration.phones.tellingDelay)
    }

    private func told(_ subject: SubjectIdentity, now: Int64) async throws -> ExposureTelling.Told {
        let telling = telling
        // Exposures that must not be published yet are not read either: the response time would reveal them.
        let end = telling.end(for: subject, now: now)
        return telling.told(
            try await work { try $0.exposures(of: subject, endedBefore: end) }, to: subject, now: now)
    }

    private func document(of told: ExposureTelling.Told, now: Int64) -> RiskDocument {
        let risk = told.risk
        return RiskDocument(
            level: risk.level.rawValue, label: risk.label,
            measure: policy.risk.measure.rawValue, exposures: told.days.count, days: policy.risk.days,
            policy: .init(name: policy.name, version: policy.version), missing: told.missing,
            asOf: InstantText.utc(now))
    }
}
