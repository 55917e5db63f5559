import Crypto

/// The SHA-256 of a configuration's bytes, which names the configuration wherever it is spoken of.
package struct ConfigurationDigest: Hashable, Sendable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package let description: String

    package init(of text: [UInt8]) {
        description = SHA256.hash(data: text).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Parameter text: 64 lower-case hexadecimal digits; anything else gives `nil`.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        description = text
    }

    /// The first digits, which are enough for people to tell configurations apart.
    package var short: String { String(description.prefix(12)) }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension ConfigurationDigest: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = ConfigurationDigest(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a digest has 64 lower-case hexadecimal digits")
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
