import OperatorText

/// Reason why an ID token is refused.
package enum IDTokenError: Error, Equatable, Sendable {
    case tooLong
    case malformed
    case algorithm(String)
    /// The header has an extension that must be understood.
    case critical
    case unknownKey(String?)
    case badSignature
    case claims
    case issuer(String)
    case audience
    case noAuthorizedParty
    case authorizedParty(String)
    case missing(String)
    case expired(at: Int64)
    case issuedLater(at: Int64)
    case issuedLongAgo(at: Int64)
    case notYetValid(from: Int64)
    /// The token answers another sign-in.
    case nonce
    case subject
    /// A claim of the configuration has an unusable value.
    case claim(String, String)

    /// Problem for the log, in one sentence without a full stop.
    package var what: String { "the ID token \(found)" }

    /// Description of what happened, shown to the person.
    package var sentence: String {
        switch self {
        case .expired, .issuedLater, .issuedLongAgo, .notYetValid:
            "The clocks of the sign-in service and of this page differ too much."
        case .claim: "Your account has a property that this page cannot use."
        default: "The sign-in service gave a proof of identity that cannot be accepted."
        }
    }

    private var found: String {
        switch self {
        case .tooLong: "is too long; at most \(IDToken.longest) bytes are read"
        case .malformed: "is not three parts of base64url with a JSON header of at most \(IDToken.longestHeader) bytes"
        case .algorithm(let name): "is signed with \(name.excerpt); must be one of \(SigningAlgorithm.list)"
        case .critical: "has an extension that must be understood (crit); none is"
        case .unknownKey(.some(let kid)):
            "is signed with key \(kid.excerpt), which the key set does not have exactly once"
        case .unknownKey(.none): "does not name its key, and the key set does not have exactly one for its algorithm"
        case .badSignature: "is not signed by its key"
        case .claims: "has claims that are not a JSON object"
        case .issuer(let issuer): "is of issuer \(issuer.excerpt), not of the configured one"
        case .audience: "is for other clients: aud does not contain the client-id, or has more than 100 names"
        case .noAuthorizedParty: "is for several clients, and does not say for which it was issued (azp)"
        case .authorizedParty(let name): "was issued for client \(name.excerpt) (azp), not for this one"
        case .missing(let name): "has no usable \(name), which is required"
        case .expired(let time): "expired at \(time) (exp, seconds since 1970); compare the clocks"
        case .issuedLater(let time):
            "was issued at \(time) (iat, seconds since 1970), in the future; compare the clocks"
        case .issuedLongAgo(let time):
            "was issued at \(time) (iat, seconds since 1970), more than 10 minutes ago; compare the clocks"
        case .notYetValid(let time): "is valid from \(time) on (nbf, seconds since 1970); compare the clocks"
        case .nonce: "answers another sign-in (nonce)"
        case .subject: "has a sub that is not 1 to 255 bytes without control characters"
        case .claim(let name, let problem): "has a claim \(name.excerpt) that \(problem)"
        }
    }
}
