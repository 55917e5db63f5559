import Crypto
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import RecordContract
import SystemIO

extension APIService {
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

    /// Stores a report of positive subjects.
    func report(_ asked: APIRequest) async throws -> APIAnswer {
        let request = try JSONBody.decode(ReportRequest.self, from: asked.body)
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
        for subject in reading.proven(request) { asked.proven.note(subject) }
        // No names are derived for an unconfirmed report where such reports have no effect.
        let derived = verified == nil && policy.reportTypes.selfReported == 0 ? 0 : reading.work(for: request)
        if derived > Self.mostNames {
            throw APIError.invalid(
                "codes, seeds, keys and commitments", "stand for \(derived) names of all sites and keys",
                "can stand for at most \(Self.mostNames): report fewer days at once")
        }
        if derived >= Self.namesPerRequest,
            let seconds = budgets.withLock({
                $0.take("w \(asked.client)", cost: derived / Self.namesPerRequest, now: MonotonicSeconds.elapsed)
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
                "subjects[\(index)]", "is a fixed beacon, which nobody carries", "must belong to the reporter")
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
}
