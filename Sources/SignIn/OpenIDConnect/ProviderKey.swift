import Crypto
import CryptoExtras

/// Public key of the identity provider, for signatures only.
struct ProviderKey: Equatable, Sendable {
    /// Identifier, as in `kid` of tokens.
    var id: String?
    private var material: Material

    private enum Material: Equatable {
        /// Point of P-256, as in X9.63.
        case ecdsa(point: [UInt8])
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case edDSA(x: [UInt8])
    }

    static let longestID = 256
    /// Maximum length of an RSA modulus in bytes: verification takes time with its square.
    private static let longestModulus = 1024

    /// Returns the key of a member of a key set; `nil` if it is of another kind, for another use, or invalid.
    init?(_ key: KeySetMember) {
        // What is published with its private half can be used by everybody.
        guard !key.isPrivate, key.use == nil || key.use == "sig" else { return nil }
        guard key.operations?.contains("verify") ?? true, key.id?.utf8.count ?? 0 <= Self.longestID else { return nil }
        guard let material = Self.material(key) else { return nil }
        id = key.id
        self.material = material
        let names = algorithm == .edDSA ? ["EdDSA", "Ed25519"] : [algorithm.rawValue]
        guard key.algorithm.map({ names.contains($0) }) ?? true, isValid else { return nil }
    }

    /// The one algorithm that the key is used with, whatever a token says.
    var algorithm: SigningAlgorithm {
        switch material {
        case .ecdsa: .es256
        case .rsa: .rs256
        case .edDSA: .edDSA
        }
    }

    /// Whether a signature of the input is by this key.
    func isSignature(_ signature: [UInt8], of input: [UInt8]) -> Bool {
        (try? verify(signature, input)) ?? false
    }

    /// Whether the numbers are a key. A verification finds out: of keys that are none it throws.
    private var isValid: Bool { (try? verify([UInt8](repeating: 1, count: 64), [])) != nil }

    private func verify(_ signature: [UInt8], _ input: [UInt8]) throws -> Bool {
        switch material {
        case .ecdsa(let point):
            let key = try P256.Signing.PublicKey(x963Representation: point)
            guard signature.count == 64 else { return false }
            return try key.isValidSignature(P256.Signing.ECDSASignature(rawRepresentation: signature), for: input)
        case .edDSA(let x):
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: x)
            return signature.count == 64 && key.isValidSignature(signature, for: input)
        case .rsa(let modulus, let exponent):
            let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
            guard !signature.isEmpty else { return false }
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: input),
                padding: .insecurePKCS1v1_5)
        }
    }

    private static func material(_ key: KeySetMember) -> Material? {
        switch (key.type, key.curve) {
        case ("EC", "P-256"):
            guard let x = bytes(key.x), let y = bytes(key.y), x.count == 32, y.count == 32 else { return nil }
            return .ecdsa(point: [4] + x + y)
        case ("OKP", "Ed25519"):
            guard let x = bytes(key.x), x.count == 32 else { return nil }
            return .edDSA(x: x)
        case ("RSA", _):
            guard let modulus = bytes(key.modulus), let exponent = bytes(key.exponent) else { return nil }
            let isExponent = (1...8).contains(exponent.count)
            return isExponent && isStrong(modulus) ? .rsa(modulus: modulus, exponent: exponent) : nil
        default: return nil
        }
    }

    /// Returns the bytes of a number; `nil` if there are too many.
    private static func bytes(_ text: String?) -> [UInt8]? {
        guard let text, text.utf8.count <= longestModulus * 2 else { return nil }
        return Base64URLText.decode(text)
    }

    /// Whether a modulus has 2048 to 8192 bits.
    private static func isStrong(_ modulus: [UInt8]) -> Bool {
        let significant = modulus.drop { $0 == 0 }
        guard let first = significant.first, significant.count <= longestModulus else { return false }
        return significant.count * 8 - first.leadingZeroBitCount >= 2048
    }
}
