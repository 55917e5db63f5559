import JWTKit
import OperatorText

import struct FoundationEssentials.Date

/// The matcher's own health authority: it signs verifications in exchange for codes of health officers.
package struct CodeAuthority: Sendable {
    /// Issuer of its tokens, which no configured authority can have.
    package static let issuer = "urn:beacon-matcher:codes"
    /// Life of a token, in seconds: the app reports at once.
    package static let lifetime: Int64 = 600
    /// Maximum number of subjects of a token. With more of the longest names it would be too long.
    package static let mostSubjects = 8

    /// The authority as `ReportVerifier` knows it.
    package let authority: HealthAuthority
    private let keys: JWTKeyCollection
    private let hashSecret: String

    private static let keyID = "codes-1"

    /// Days that a health officer vouches for, in days since 1970.
    package struct Facts: Sendable {
        package var test: Int64
        package var onset: Int64?

        package init(test: Int64, onset: Int64?) {
            self.test = test
            self.onset = onset
        }
    }

    /// Creates the authority.
    ///
    /// - Parameters:
    ///   - signing: secret of the store from which the signing key follows.
    ///   - hashing: secret of the store under which codes are kept.
    /// - Returns: `nil` if no key follows from the secret, which is practically impossible.
    package init?(signing: String, hashing: String) async {
        guard let derived = DerivedSigningKey.p256("codes", secret: signing),
            let key = try? ES256PrivateKey(backing: derived)
        else { return nil }
        authority = HealthAuthority(issuer: Self.issuer, keyID: Self.keyID, key: key.publicKey)
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key, kid: JWKIdentifier(string: Self.keyID))
        self.keys = keys
        hashSecret = hashing
    }

    /// Returns what the store keeps of a code.
    package func hash(_ code: VerificationCode) -> String { code.hash(secret: hashSecret) }

    /// Signs a verification.
    ///
    /// - Parameters:
    ///   - subjects: 1 to `mostSubjects` subjects as `KIND:ID`.
    ///   - id: unique identifier of the token.
    ///   - now: seconds since 1970.
    /// - Throws: an error of JWTKit.
    package func token(
        for subjects: [String], _ facts: Facts, audience: String, id: String, now: Int64
    ) async throws -> String {
        let claims = VerificationClaims(
            issuer: Self.issuer, audience: VerificationClaims.Audience(audience),
            issuedAt: IssuedAtClaim(value: Date(timeIntervalSince1970: Double(now))),
            expires: ExpirationClaim(value: Date(timeIntervalSince1970: Double(now + Self.lifetime))),
            notBefore: nil, id: id, subject: subjects.first, names: Array(subjects.dropFirst()),
            testDate: DayText.text(facts.test), onset: facts.onset.map(DayText.text))
        return try await keys.sign(claims, kid: JWKIdentifier(string: Self.keyID))
    }
}
