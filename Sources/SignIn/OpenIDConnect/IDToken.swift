/// ID token in its parts, not yet verified (RFC 7515, section 7.1).
package struct IDToken: Sendable {
    /// Identifier of the key, for `KeySetCache`.
    package let keyID: String?
    let algorithm: SigningAlgorithm
    let payload: [UInt8]
    let signature: [UInt8]
    /// Text that is signed: header and payload as they are written.
    let input: [UInt8]

    static let longest = 65_536
    static let longestHeader = 8192

    package init(_ text: String) throws(IDTokenError) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URLText.decode(parts[0]), header.count <= Self.longestHeader,
            let payload = Base64URLText.decode(parts[1]), let signature = Base64URLText.decode(parts[2]),
            let fields = ProviderJSON.decode(Header.self, from: header)
        else { throw .malformed }
        guard let algorithm = SigningAlgorithm(rawValue: fields.algorithm) else { throw .algorithm(fields.algorithm) }
        // RFC 7515, section 4.1.11. Also `b64` needs it, which would change what is signed (RFC 7797).
        guard !fields.hasCritical else { throw .critical }
        guard fields.keyID?.utf8.count ?? 0 <= ProviderKey.longestID else { throw .malformed }
        keyID = fields.keyID
        self.algorithm = algorithm
        self.payload = payload
        self.signature = signature
        input = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Header of a token. Keys in it, or addresses of keys, are not read: only the provider's key set counts.
    private struct Header: Decodable {
        var algorithm: String
        var keyID: String?
        var hasCritical: Bool

        private enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case keyID = "kid"
            case critical = "crit"
            case encoded = "b64"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try container.decode(String.self, forKey: .algorithm)
            keyID = try container.decodeIfPresent(String.self, forKey: .keyID)
            hasCritical = container.contains(.critical) || container.contains(.encoded)
        }
    }
}
