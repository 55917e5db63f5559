import Crypto
import JWTKit
package import Matching
import OperatorText
import RecordContract

import struct FoundationEssentials.Date

/// Verifier of tokens of the configured health authorities.
package struct ReportVerifier: Sendable {
    private var keys: [String: JWTKeyCollection]
    /// Audience that tokens must have.
    package private(set) var audience: String

    static let longestToken = 4096
    /// Maximum life of a token in seconds, so that spent tokens need not be remembered for ever.
    static let longestLife: Int64 = 14 * 86_400
    /// Tolerance for the authorities' clocks, in seconds.
    package static let tolerance: Int64 = 60

    package init(authorities: [HealthAuthority], audience: String) async {
        self.audience = audience
        keys = [:]
        for authority in authorities {
            let collection = keys[authority.issuer] ?? JWTKeyCollection()
            // An issuer that changes its key uses both for a while.
            await collection.add(ecdsa: authority.key, kid: authority.keyID.map { JWKIdentifier(string: $0) })
            keys[authority.issuer] = collection
        }
    }

    /// Verifies a token.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: the token's claims, and the mark by which it is spent.
    package func verify(_ token: String, now: Int64) async throws(APIError) -> (
        VerificationClaims, PositiveReport.Token
    ) {
        guard token.utf8.count <= Self.longestToken else { throw Self.refused("is too long") }
        let claims = try await signed(token)
        guard claims.audience.names.contains(audience) else { throw Self.refused("is for another audience") }
        guard (1...128).contains(claims.id.utf8.count) else { throw Self.refused("has no jti of 1 to 128 bytes") }
        guard claims.subject?.isEmpty == false else { throw Self.refused("has no sub") }
        guard claims.names?.count ?? 0 <= VerificationClaims.mostNames else {
            throw Self.refused("has more than \(VerificationClaims.mostNames) names")
        }
        let times = [claims.issuedAt.value, claims.expires.value, claims.notBefore?.value ?? claims.issuedAt.value]
            .map { $0.timeIntervalSince1970 }
        // Numbers of seconds beyond any date.
        guard times.allSatisfy({ abs($0) < 1e11 }) else { throw Self.refused("has an impossible time") }
        let (issued, expires, notBefore) = (Int64(times[0]), Int64(times[1]), Int64(times[2]))
        guard expires > now else { throw Self.refused("has expired") }
        guard max(issued, notBefore) <= now + Self.tolerance else { throw Self.refused("is not valid yet") }
        guard expires - issued <= Self.longestLife else { throw Self.refused("is valid for more than 14 days") }
        let hash = SHA256.hash(data: Array("\(claims.issuer)\0\(claims.id)".utf8))
        return (claims, PositiveReport.Token(hash: Base64URL.encode(hash), expires: expires))
    }

    private func signed(_ token: String) async throws(APIError) -> VerificationClaims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let claims = Base64URL.decode(parts[1]) else {
            throw Self.refused("is not a signed token")
        }
        // Checked before JWTKit reads the header: JWTKit accepts all headers, and some numbers in one end the process.
        if let found = TokenHeader.objection(to: header) { throw Self.refused(found) }
        // The issuer selects the key; nothing else is trusted before the signature is verified.
        guard let issuer = (try? JSON.decode(Issuer.self, from: claims))?.iss, let collection = keys[issuer] else {
            throw Self.refused("has an unknown issuer")
        }
        do {
            return try await collection.verify(token, as: VerificationClaims.self)
        } catch {
            throw Self.refused("is not signed by its issuer")
        }
    }

    private struct Issuer: Decodable {
        var iss: String
    }

    private static func refused(_ found: String) -> APIError {
        .forbidden("the verification \(found)", "request another one from the health authority, or report without one")
    }
}
