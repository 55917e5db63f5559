import SystemIO

/// Which messages of gateways a consumer believes.
public struct MessageVerifier: Equatable, Sendable {
    /// The first is the present one; what an older one signed is believed too.
    public let keys: [SiteKey]
    /// Whether what isn't signed is refused. What is signed wrongly always is.
    public let isRequired: Bool
    private let derived = DerivedKeys()

    public init(keys: [SiteKey], isRequired: Bool) {
        self.keys = keys
        self.isRequired = isRequired
    }

    public enum Verdict: Equatable, Sendable {
        case genuine
        /// Not signed, and that is allowed.
        case unsigned
        case refused(Refusal)
    }

    public enum Refusal: Equatable, Sendable {
        case unsigned
        /// By the key of another gateway or site, or not these bytes.
        case forged
        /// The member is somewhere else than at the end.
        case misplaced
    }

    /// - Parameter gateway: whose it says that it is, `site/building/floor/gateway`.
    public func verdict(on message: [UInt8], of gateway: String, for purpose: MessageTag.Purpose) -> Verdict {
        switch MessageTag.verdict(on: message, keys: derived.keys(of: gateway, from: keys), for: purpose) {
        case .genuine: return .genuine
        case .forged: return .refused(.forged)
        case .untagged:
            if isRequired { return .refused(.unsigned) }
            return Self.hasTag(message) ? .refused(.misplaced) : .unsigned
        }
    }

    public static func == (one: MessageVerifier, other: MessageVerifier) -> Bool {
        one.keys == other.keys && one.isRequired == other.isRequired
    }

    private static func hasTag(_ message: [UInt8]) -> Bool {
        guard message.count <= 65_536, let found = try? JSON.decode(Tagged.self, from: message) else { return false }
        return found.isTagged
    }

    private struct Tagged: Decodable {
        var isTagged: Bool

        private enum Key: String, CodingKey { case tag }

        init(from decoder: any Decoder) throws {
            isTagged = try decoder.container(keyedBy: Key.self).contains(.tag)
        }
    }
}

/// Gateways' keys, so that they aren't derived for each message: that costs half of what checking does.
private final class DerivedKeys: Sendable {
    private let keys = LockedValue<[String: [SigningKey]]>([:])
    /// Of gateways, which anybody can invent.
    private static let most = 4096

    func keys(of gateway: String, from site: [SiteKey]) -> [SigningKey] {
        keys.withLock { keys in
            if let known = keys[gateway] { return known }
            let derived = site.map { $0.gatewayKey(gateway) }
            if keys.count >= Self.most { keys.removeAll() }
            keys[gateway] = derived
            return derived
        }
    }
}
