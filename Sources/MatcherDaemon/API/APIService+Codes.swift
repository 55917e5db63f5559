import Crypto
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import RecordContract
import SystemIO

extension APIService {
    private struct Exchanged: Encodable {
        var verification: String
    }

    /// Exchanges a health officer's code for a verification, which `report` takes.
    func exchange(_ request: APIRequest) async throws -> APIAnswer {
        let asked = try JSONBody.decode(CodeExchange.self, from: request.body)
        // Checked first: a mistake here does not use the code up.
        let subjects = try asked.identities()
        // What has the form of no code is no guess either.
        guard let code = VerificationCode(asked.code) else { throw APIError.noSuchCode }
        let now = now()
        guard let issued = try await take(code, by: request.client, now: now) else { throw APIError.noSuchCode }
        let token = try await codes.token(
            for: subjects.map(\.description), CodeAuthority.Facts(test: issued.test, onset: issued.onset),
            audience: verifier.audience,
            id: Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)), now: now)
        return .json(.ok, JSON.encode(Exchanged(verification: token)))
    }

    /// Uses a code up, and counts a wrong one.
    private func take(_ code: VerificationCode, by client: String, now: Int64) async throws -> IssuedCode? {
        if let seconds = codeTries.withLock({ $0.begin(code.form, by: client, now: now) }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        var isWrong = false
        defer { codeTries.withLock { $0.end(code.form, by: client, isWrong: isWrong, now: now) } }
        let hash = codes.hash(code)
        let issued = try await work { try $0.take(code: hash, now: now) }
        isWrong = issued == nil
        return issued
    }
}
