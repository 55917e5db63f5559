/// The name that an operator gives to a state of the configurations: the commit in git.
package struct ConfigurationRevision: Hashable, Sendable, CustomStringConvertible {
    /// Maximum length in characters.
    package static let longest = 64
    /// Allowed text, for people.
    package static let form = "1 to 64 of 0-9, a-z, A-Z, dot, underscore and hyphen"

    package let description: String

    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        description = text
    }

    /// The first characters, as git abbreviates a commit.
    package var short: String { String(description.prefix(12)) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ConfigurationRevision: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let revision = ConfigurationRevision(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a revision has \(Self.form)")
        }
        self = revision
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
