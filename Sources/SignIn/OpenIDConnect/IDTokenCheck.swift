/// Verification of ID tokens for one sign-in (OpenID Connect Core 1.0, section 3.1.3.7).
package struct IDTokenCheck: Sendable {
    package var issuer: String
    package var clientID: String
    /// Nonce of the sign-in.
    package var nonce: String
    /// Seconds since 1970.
    package var now: Int64

    /// Tolerance for the provider's clock, in seconds.
    package static let tolerance: Int64 = 60
    /// Maximum age of a token in seconds: it was issued for this sign-in, just now.
    package static let oldest: Int64 = AuthorizationAttempt.lifetime

    private static let mostAudiences = 100

    package init(issuer: String, clientID: String, nonce: String, now: Int64) {
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.now = now
    }

    /// Verifies a token: first its signature, then its claims.
    package func verify(_ token: IDToken, keys: ProviderKeySet) throws(IDTokenError) -> IDTokenClaims {
        guard let key = keys.key(token.keyID, token.algorithm) else { throw .unknownKey(token.keyID) }
        guard key.isSignature(token.signature, of: token.input) else { throw .badSignature }
        guard let members = ProviderJSON.decode([String: ClaimValue].self, from: token.payload) else { throw .claims }
        try checkParties(members)
        try checkTimes(members)
        guard let nonce = members["nonce"]?.text else { throw .missing("nonce") }
        guard SecretText.isEqual(nonce, self.nonce) else { throw .nonce }
        guard let subject = members["sub"]?.text else { throw .missing("sub") }
        guard (1...255).contains(subject.utf8.count), !subject.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .subject
        }
        return IDTokenClaims(issuer: issuer, subject: subject, members: members)
    }

    /// Checks by whom and for whom the token is.
    private func checkParties(_ members: [String: ClaimValue]) throws(IDTokenError) {
        guard let issuer = members["iss"]?.text else { throw .missing("iss") }
        guard issuer == self.issuer else { throw .issuer(issuer) }
        let audiences: [ClaimValue]
        switch members["aud"] {
        case .text(let name)?: audiences = [.text(name)]
        case .list(let names)? where names.allSatisfy({ $0.text != nil }): audiences = names
        default: throw .missing("aud")
        }
        guard audiences.count <= Self.mostAudiences, audiences.contains(.text(clientID)) else { throw .audience }
        if let party = members["azp"] {
            guard party == .text(clientID) else { throw .authorizedParty(party.text ?? "") }
        } else if audiences.count > 1 {
            throw .noAuthorizedParty
        }
    }

    private func checkTimes(_ members: [String: ClaimValue]) throws(IDTokenError) {
        guard let expires = members["exp"]?.seconds else { throw .missing("exp") }
        guard let issued = members["iat"]?.seconds else { throw .missing("iat") }
        guard expires + Self.tolerance > now else { throw .expired(at: expires) }
        guard issued <= now + Self.tolerance else { throw .issuedLater(at: issued) }
        guard issued >= now - Self.oldest - Self.tolerance else { throw .issuedLongAgo(at: issued) }
        if let value = members["nbf"] {
            guard let notBefore = value.seconds else { throw .missing("nbf") }
            guard notBefore <= now + Self.tolerance else { throw .notYetValid(from: notBefore) }
        }
    }
}
