import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import RecordContract

extension APIService {
    /// Maximum number of commitments per phone and day. An app commits again a few times when its user changes
    /// something.
    static let mostCommitments = 8
    /// Number of days ahead for which a phone can commit itself.
    static let commitmentDays: Int64 = 7

    private struct CommitmentRequest: Decodable {
        var phone: String
        var day: String
        var hash: String
    }

    private struct Committed: Encodable {
        var day: String
        /// Time from which the codes count.
        var registered: String
    }

    /// Registers the codes to which a phone commits itself before it transmits them.
    func commit(_ asked: APIRequest) async throws -> APIAnswer {
        let request = try JSONBody.decode(CommitmentRequest.self, from: asked.body)
        guard let phone = SubjectIdentity(kind: SubjectIdentity.phone, id: request.phone) else {
            throw APIError.unauthorized
        }
        try await authorize(phone, by: asked)
        let now = now()
        let today = now / 86_400
        guard let day = DayText.parse(request.day), (today...today + Self.commitmentDays).contains(day) else {
            throw APIError.invalid(
                "day", "found \(request.day.excerpt)",
                "must be \(DayText.text(today)) to \(DayText.text(today + Self.commitmentDays)), in UTC")
        }
        guard Base64URL.decode(request.hash)?.count == 32 else {
            throw APIError.invalid(
                "hash", "found \(request.hash.excerpt)", "must be SHA-256 in base64url: 43 characters")
        }
        let commitment = CodeCommitment(day: day, hash: request.hash)
        guard
            let registered = try await work({
                try $0.commit(commitment, of: phone, limit: Self.mostCommitments, now: now)
            })
        else { throw APIError.tooMany(retryAfter: (day + 1) * 86_400 - now) }
        return .json(
            .created, JSON.encode(Committed(day: DayText.text(day), registered: InstantText.utc(registered))))
    }
}
