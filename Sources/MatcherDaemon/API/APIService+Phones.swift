import Crypto
import Evidence
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import RecordContract
import SystemIO

extension APIService {
    private struct NewPhone: Encodable {
        var id: String
        var secret: String
        /// Topic for notices of exposures.
        var topic: String
    }

    private struct EnrolmentRequest: Decodable {
        var code: String
    }

    /// Enrols a phone.
    func enrol(_ request: APIRequest) async throws -> APIAnswer {
        guard configuration.phones.needsCode else { return .json(.created, JSON.encode(newPhone())) }
        let text = try JSONBody.decode(EnrolmentRequest.self, from: request.body).code
        if let seconds = enrolmentTries.withLock({ $0.take(request.client, now: MonotonicSeconds.elapsed) }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        let now = now()
        guard let code = EnrolmentCode.parse(text), try await work({ try $0.enrol(code: code, now: now) })
        else {
            throw APIError.noEnrolment
        }
        enrolmentTries.withLock { $0.succeeded(request.client) }
        return .json(.created, JSON.encode(newPhone()))
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
        /// Where the phone was at its latest reading; omitted unless `localisation.phones` is set.
        var location: LocationDocument?

        struct Refused: Encodable {
            var index: Int
            var reason: String
        }
    }

    /// Stays that an address can send for each request of its budget, stored or refused.
    static let staysPerRequest = 50

    /// Stores stays that a phone reports.
    func interactions(_ request: APIRequest) async throws -> APIAnswer {
        let report = try JSONBody.decode(PhoneReport.self, from: request.body)
        guard let phone = SubjectIdentity(kind: SubjectIdentity.phone, id: report.phone) else {
            throw APIError.unauthorized
        }
        try await authorize(phone, by: request)
        let now = now()
        let settings = configuration.phones
        var (stays, parts) = try PhoneStays.stays(report.interactions, of: phone)
        if !settings.acceptsUnproven {
            for index in stays.indices {
                stays[index].proofs =
                    settings.proofUUID.map {
                        PhoneProof.beacons(
                            uuid: $0, secret: request.secret ?? "", from: stays[index].start, to: stays[index].end)
                    } ?? []
            }
        }
        if let seconds = stayBudgets.withLock({
            $0.take(request.client, cost: stays.count, now: MonotonicSeconds.elapsed)
        }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        let outcomes = try await work { [stays] in
            try $0.store(stays, now: now, within: settings.uploadWithin)
        }
        let refused = parts.enumerated().compactMap { index, part -> Accepted.Refused? in
            let outcome = outcomes[part]
            return outcome == .stored ? nil : .init(index: index, reason: outcome.rawValue)
        }
        return .json(
            .ok,
            JSON.encode(
                Accepted(
                    stored: parts.count - refused.count, refused: refused,
                    // The stays are stored: an error now would only bring them again.
                    location: try? await location(of: phone, report.interactions))))
    }

    /// Returns where a phone is by what it ranged, for the phone itself. Nothing of it is stored.
    private func location(
        of phone: SubjectIdentity, _ readings: [PhoneReport.Reading]
    ) async throws -> LocationDocument? {
        guard let localisation = configuration.localisation, localisation.answersPhones,
            LiveAccess.view(of: "/v1/interactions", for: .subject) == .own
        else { return nil }
        let position = try await phoneLocator.position(
            of: phone, PhoneStays.ranged(readings), plans: localisation.plans)
        return position.map { LocationDocument($0) { Int64($0) } }
    }
}
