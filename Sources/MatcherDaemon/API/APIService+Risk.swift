import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import RecordContract

extension APIService {
    /// Answers with a subject's risk.
    func risk(_ request: APIRequest) async throws -> APIAnswer {
        let subject = try request.subject()
        try await authorize(subject, by: request)
        let now = now()
        return .json(.ok, JSON.encode(document(of: try await told(subject, now: now), now: now)))
    }

    /// Answers with the exposures that a subject is told.
    func exposures(_ request: APIRequest) async throws -> APIAnswer {
        let subject = try request.subject()
        try await authorize(subject, by: request)
        let documents = telling.documents(of: try await told(subject, now: now()), subject: subject)
        return .json(.ok, Array(#"{"exposures":[\#(documents.joined(separator: ","))]}"#.utf8))
    }

    /// Notes that a subject has read what it was told.
    func exposuresRead(_ request: APIRequest) async throws -> APIAnswer {
        let subject = try request.subject()
        try await authorize(subject, by: request)
        let read = try ReadNotice(request.body)
        if try await work({ try $0.seen(subject, where: read.covers) }) { notices.wake() }
        return .empty
    }

    /// Answers with the stream of a subject's notices.
    func events(_ request: APIRequest) async throws -> APIAnswer {
        let subject = try request.subject()
        let version = try await authorize(subject, by: request)
        guard let events = notices.events(for: subject, version: version, to: request.client) else {
            throw APIError.tooMany(retryAfter: 60)
        }
        return .events(events)
    }

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

    /// Rules of what a subject learns of its exposures.
    var telling: ExposureTelling {
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
