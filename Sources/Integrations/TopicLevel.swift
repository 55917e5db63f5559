import Crypto

/// Topic levels that every supported broker accepts: a-z, A-Z, 0-9, `-` and `_`. NATS closes the connection over a dot.
package enum TopicLevel {
    /// Whether all levels of `topic` are accepted by every supported broker.
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

    /// Maximum length of a slug in bytes.
    static let longestSlug = 40

    /// Returns a text as a topic level: in lower case, Latin letters without diacritics, hyphens for everything else. A
    /// text without any such letter or digit gives a number derived from it.
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

    /// Returns hexadecimal digits that identify a text.
    ///
    /// - Parameter count: the length in bytes, 1 to 32.
    package static func digest(of text: String, count: Int) -> String {
        hexadecimal(digestBytes(of: text, count: count))
    }

    static func digestBytes(of text: String, count: Int) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)).prefix(count))
    }

    /// Returns two lower-case digits for each byte.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the letter without diacritic, in lower case; empty for anything but a Latin letter or digit.
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
