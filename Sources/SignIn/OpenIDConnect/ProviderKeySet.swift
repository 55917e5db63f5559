/// Keys of the identity provider with which it signs ID tokens (RFC 7517, section 5).
package struct ProviderKeySet: Equatable, Sendable {
    var keys: [ProviderKey]

    /// Maximum number of keys in a set. Providers have two or three.
    static let mostKeys = 100

    /// Reads a key set.
    ///
    /// - Parameter bytes: the document, whose length the caller has limited.
    package init(_ bytes: [UInt8]) throws(SignInError) {
        guard let document = ProviderJSON.decode(Document.self, from: bytes) else {
            throw .keySet(found: "is not JSON of the expected form", allowed: "must be a set of RFC 7517")
        }
        guard !document.hasMore else {
            throw .keySet(
                found: "has more than \(Self.mostKeys) keys", allowed: "must have at most that many")
        }
        keys = document.keys.compactMap { ProviderKey($0) }
        guard !keys.isEmpty else {
            throw .keySet(
                found: "has no usable key",
                allowed: "must have one for signatures: EC P-256, RSA of 2048 to 8192 bits, or Ed25519")
        }
    }

    /// Whether there is a key with the identifier.
    func contains(_ id: String) -> Bool { keys.contains { $0.id == id } }

    /// Returns the only key with an algorithm, and with the identifier if there is one; `nil` if there are several.
    func key(_ id: String?, _ algorithm: SigningAlgorithm) -> ProviderKey? {
        let fitting = keys.filter { $0.algorithm == algorithm && (id == nil || $0.id == id) }
        return fitting.count == 1 ? fitting.first : nil
    }

    private struct Document: Decodable {
        var keys: [KeySetMember] = []
        var hasMore = false

        private enum CodingKeys: CodingKey {
            case keys
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            var list = try container.nestedUnkeyedContainer(forKey: .keys)
            while !list.isAtEnd {
                guard list.currentIndex < ProviderKeySet.mostKeys else {
                    hasMore = true
                    return
                }
                if let member = try list.decodeIfPresent(KeySetMember.self) { keys.append(member) }
            }
        }
    }
}
