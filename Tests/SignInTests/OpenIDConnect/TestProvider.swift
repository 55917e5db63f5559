import Crypto
import CryptoExtras

@testable import SignIn

/// Identity provider of the tests, which also signs what no honest one would.
struct TestProvider {
    static let issuer = "https://login.campus.example/realms/campus"
    static let now: Int64 = 1_800_000_000
    static let nonce = "nonce-of-this-sign-in"
    /// Made once: it takes a while.
    private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    let ecdsa = P256.Signing.PrivateKey()
    let edDSA = Curve25519.Signing.PrivateKey()

    static let client = ClientSettings(
        issuer: issuer, clientID: "beacon-matcher", clientSecret: "secret of the client",
        redirectURI: "https://beacons.campus.example/sign-in/callback", numberClaim: "student_number",
        roleRules: [
            RoleRule(role: .officer, value: "health-officers"), RoleRule(role: .student, value: "students"),
            RoleRule(role: .student, value: "guests"),
        ])

    /// Members of the key set: ES256 is `ec`, EdDSA `ed`, RS256 `rsa`.
    func members() throws -> [String] {
        let point = Array(ecdsa.publicKey.rawRepresentation)
        let x = Array(edDSA.publicKey.rawRepresentation)
        let numbers = try Self.rsa.get().publicKey.getKeyPrimitives()
        return [
            Self.ecdsaMember(point, #""kid":"ec","use":"sig","alg":"ES256""#),
            #"{"kty":"OKP","crv":"Ed25519","kid":"ed","x":"\#(Self.encode(x))"}"#,
            #"{"kty":"RSA","kid":"rsa","n":"\#(Self.encode(Array(numbers.modulus)))","#
                + #""e":"\#(Self.encode(Array(numbers.publicExponent)))"}"#,
        ]
    }

    func keySet() throws -> ProviderKeySet { try ProviderKeySet(Self.set(members())) }

    /// Returns the claims of a good token as JSON, but for changes; `nil` leaves one out.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members = [
            "iss": "\"\(issuer)\"", "aud": #""beacon-matcher""#, "sub": #""248289761001""#, "nonce": "\"\(nonce)\"",
            "iat": "\(now - 5)", "exp": "\(now + 300)", "name": #""Ann Lee""#, "groups": #"["students"]"#,
        ]
        for (name, value) in changes { members[name] = value }
        return object(members)
    }

    /// Returns a discovery document, but for changes.
    static func document(_ changes: [String: String?] = [:]) -> [UInt8] {
        var members = [
            "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(issuer)/auth\"",
            "token_endpoint": "\"\(issuer)/token\"", "jwks_uri": "\"\(issuer)/keys\"",
        ]
        for (name, value) in changes { members[name] = value }
        return Array(object(members).utf8)
    }

    static func metadata(_ changes: [String: String?] = [:]) throws -> ProviderMetadata {
        try ProviderMetadata(document(changes), issuer: issuer)
    }

    /// Returns a token that is signed with the key of an algorithm, whatever its header says.
    func token(_ claims: String, header: String = #"{"alg":"ES256","kid":"ec"}"#, key: SigningAlgorithm = .es256) throws
        -> String
    {
        let input = "\(Self.encode(Array(header.utf8))).\(Self.encode(Array(claims.utf8)))"
        return "\(input).\(Self.encode(try signature(Array(input.utf8), key)))"
    }

    /// Verifies a token with this provider's keys.
    func verified(_ token: String, now: Int64 = Self.now) throws -> IDTokenClaims {
        let check = IDTokenCheck(issuer: Self.issuer, clientID: "beacon-matcher", nonce: Self.nonce, now: now)
        return try check.verify(IDToken(token), keys: keySet())
    }

    /// Returns why a token is refused; `nil` if it is accepted.
    func refusal(_ token: String, now: Int64 = Self.now) throws -> IDTokenError? {
        do {
            _ = try verified(token, now: now)
            return nil
        } catch let error as IDTokenError {
            return error
        }
    }

    static func encode(_ bytes: [UInt8]) -> String { Base64URLText.encode(bytes) }

    static func set(_ members: [String]) -> [UInt8] {
        Array(#"{"keys":[\#(members.joined(separator: ","))]}"#.utf8)
    }

    static func ecdsaMember(_ point: [UInt8], _ more: String) -> String {
        #"{"kty":"EC","crv":"P-256","x":"\#(encode(Array(point.prefix(32))))","#
            + #""y":"\#(encode(Array(point.suffix(32))))",\#(more)}"#
    }

    private static func object(_ members: [String: String]) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
    }

    private func signature(_ input: [UInt8], _ key: SigningAlgorithm) throws -> [UInt8] {
        switch key {
        case .es256: return try Array(ecdsa.signature(for: input).rawRepresentation)
        case .edDSA: return try Array(edDSA.signature(for: input))
        case .rs256:
            let signature = try Self.rsa.get().signature(
                for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
            return Array(signature.rawRepresentation)
        }
    }
}
