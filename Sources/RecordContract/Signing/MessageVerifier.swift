/// The rules by which a consumer accepts messages of gateways.
package struct MessageVerifier: Equatable, Sendable {
    /// The site keys. The first is the present one; signatures of older ones are accepted too.
    package let keys: [SiteKey]
    /// Whether unsigned messages are refused. Messages with a wrong signature always are.
    package let isRequired: Bool
    /// Returns the keys of a gateway.
    private let gatewayKeys: @Sendable (_ gateway: String) -> [SigningKey]

    /// - Parameter gatewayKeys: returns the keys of a gateway, for example from a cache; by default they are derived
    ///   from the site keys at each check, which costs half of what a check does.
    package init(
        keys: [SiteKey], isRequired: Bool, gatewayKeys: (@Sendable (_ gateway: String) -> [SigningKey])? = nil
    ) {
        self.keys = keys
        self.isRequired = isRequired
        self.gatewayKeys = gatewayKeys ?? { gateway in keys.map { $0.gatewayKey(gateway) } }
    }

    package enum Verdict: Equatable, Sendable {
        case genuine
        /// Unsigned, which is allowed.
        case unsigned
        case refused(Refusal)
    }

    package enum Refusal: Equatable, Sendable {
        case unsigned
        /// Signed with the key of another gateway or site, or over other bytes.
        case forged
        /// The tag is not at the end of the message.
        case misplaced
    }

    /// Checks a message.
    ///
    /// - Parameter gateway: the gateway that the message claims to be from, `site/building/floor/gateway`.
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
