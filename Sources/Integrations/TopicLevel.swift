import Crypto

/// Levels of topics that every supported broker takes: a-z, A-Z, 0-9, `-` and `_`. NATS closes the connection over a dot.
package enum TopicLevel {
    /// Whether all levels of `topic` are such.
    package static func areSafe(_ topic: String) -> Bool {
        topic.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { level in
            !level.isEmpty && level.utf8.allSatisfy { isSafe($0) }
        }
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The longest slug, in bytes.
    static let longestSlug = 40

    /// Any text as a level: in lower case, Latin letters without their marks, hyphens for everything else. A text of which
    /// no letter or digit remains gives a number that is made of it.
    package static func slug(_ text: String) -> String {
        var slug = ""
        for scalar in text.unicodeScalars {
            let letters = plain(scalar)
            if !letters.isEmpty {
                slug += letters
            } else if !slug.isEmpty, slug.last != "-" {
                slug += "-"
            }
            if slug.utf8.count >= longestSlug { break }
        }
        slug = String(slug.prefix(longestSlug))
        while slug.last == "-" { slug.removeLast() }
        return slug.isEmpty ? "x" + digest(of: text, count: 4) : slug
    }

    /// Hexadecimal digits by which equal texts are known.
    ///
    /// - Parameter count: in bytes, 1 to 32.
    package static func digest(of text: String, count: Int) -> String {
        hexadecimal(digestBytes(of: text, count: count))
    }

    static func digestBytes(of text: String, count: Int) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)).prefix(count))
    }

    /// Two lower-case digits for each byte.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The letter without its mark, in lower case; nothing for what is neither a Latin letter nor a digit.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "a"..."z", "0"..."9": return String(scalar)
        case "A"..."Z": return String(scalar).lowercased()
        case "ß": return "ss"
        default:
            // "LATIN SMALL LETTER U WITH DIAERESIS", "LATIN CAPITAL LETTER AE".
            let words = (scalar.properties.name ?? "").split(separator: " ")
            guard words.count >= 4, words[0] == "LATIN", words[2] == "LETTER", words[3].utf8.count <= 2 else {
                return ""
            }
            return words[3].lowercased()
        }
    }
}
