/// Which messages of gateways a consumer believes.
package struct MessageVerifier: Equatable, Sendable {
    /// The first is the present one; what an older one signed is believed too.
    package let keys: [SiteKey]
    /// Whether what isn't signed is refused. What is signed wrongly always is.
    package let isRequired: Bool
    /// Gives the keys of a gateway.
    private var gatewayKeys: @Sendable (_ gateway: String) -> [SigningKey]

    package init(keys: [SiteKey], isRequired: Bool) {
        self.keys = keys
        self.isRequired = isRequired
        gatewayKeys = { gateway in keys.map { $0.gatewayKey(gateway) } }
    }

    /// The same verifier with another way to come by a gateway's keys, such as a cache: deriving them costs half of what a check does.
    ///
    /// - Parameter wrap: takes the way so far, and gives the new one.
    package func with(
        _ wrap: (@escaping @Sendable (String) -> [SigningKey]) -> @Sendable (String) -> [SigningKey]
    ) -> MessageVerifier {
        var other = self
        other.gatewayKeys = wrap(gatewayKeys)
        return other
    }

    package enum Verdict: Equatable, Sendable {
        case genuine
        /// Not signed, and that is allowed.
        case unsigned
        case refused(Refusal)
    }

    package enum Refusal: Equatable, Sendable {
        case unsigned
        /// By the key of another gateway or site, or not these bytes.
        case forged
        /// The member is somewhere else than at the end.
        case misplaced
    }

    /// - Parameter gateway: whose it says that it is, `site/building/floor/gateway`.
    package func verdict(on message: [UInt8], of gateway: String, for purpose: MessageTag.Purpose) -> Verdict {
        switch MessageTag.verdict(on: message, keys: gatewayKeys(gateway), for: purpose) {
        case .genuine: return .genuine
        case .forged: return .refused(.forged)
        case .untagged:
            if isRequired { return .refused(.unsigned) }
            return Self.hasTag(message) ? .refused(.misplaced) : .unsigned
        }
    }

    package static func == (one: MessageVerifier, other: MessageVerifier) -> Bool {
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
