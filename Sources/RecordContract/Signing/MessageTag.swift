import Crypto

/// The last member of a signed message: `"tag":"` and 22 characters, base64url of the first half of HMAC-SHA256 over
/// the exact bytes of the message without it.
///
/// Nothing is parsed or reordered before the check, so what is read afterwards is exactly what was signed. The member
/// therefore counts only at that place and in that form.
package enum MessageTag {
    /// The purpose of a tag. A tag for one purpose is not valid for another.
    package enum Purpose: Equatable, Sendable {
        case record
        case health
        case signals
        case configuration
        /// A command.
        ///
        /// - Parameter topic: the topic of the command, including its name.
        case command(topic: String)

        fileprivate var context: [UInt8] {
            switch self {
            case .record: Array("beacon-record/1\n".utf8)
            case .health: Array("beacon-health/1\n".utf8)
            case .signals: Array("beacon-signals/1\n".utf8)
            case .configuration: Array("beacon-configuration/1\n".utf8)
            case .command(let topic): Array("beacon-command/1\n\(topic)\n".utf8)
            }
        }
    }

    /// The result of checking a message.
    package enum Verdict: Equatable, Sendable {
        case genuine
        /// The message has no tag at its end.
        case untagged
        /// The message has a tag that none of the keys made.
        case forged
    }

    /// Number of bytes by which a tag lengthens a message.
    package static let cost = opening.count + digits + closing.count - 1
    private static let digits = 22
    private static let opening = Array(",\"tag\":\"".utf8)
    private static let closing = Array("\"}".utf8)
    private static let end = [UInt8(ascii: "}")]

    /// Returns the message with a tag.
    ///
    /// - Parameter message: a JSON object with at least one member, without space at its end; anything else is returned
    ///   unchanged.
    package static func adding(to message: [UInt8], key: SigningKey, for purpose: Purpose) -> [UInt8] {
        guard message.count > 2, message.last == end[0] else { return message }
        var tagged: [UInt8] = []
        tagged.reserveCapacity(message.count + cost)
        tagged += message.dropLast()
        let tag = Self.tag(of: tagged[...], key: key, purpose)
        tagged += opening
        tagged += tag
        tagged += closing
        return tagged
    }

    /// Checks the tag of a message.
    ///
    /// - Parameter keys: the keys any of which may have made the tag.
    package static func verdict(
        on message: [UInt8], keys: some Sequence<SigningKey>, for purpose: Purpose
    ) -> Verdict {
        let tail = opening.count + digits + closing.count
        // Another member must precede the tag in the object.
        guard message.count > tail + 1 else { return .untagged }
        let start = message.count - tail
        let tag = message[(start + opening.count)..<(message.count - closing.count)]
        guard message[start...].starts(with: opening), message.suffix(closing.count).elementsEqual(closing),
            tag.allSatisfy(isDigit)
        else { return .untagged }
        for key in keys where isEqual(Self.tag(of: message[..<start], key: key, purpose), tag) { return .genuine }
        return .forged
    }

    /// Returns the tag of a message.
    ///
    /// - Parameter message: the message without its last brace.
    private static func tag(of message: ArraySlice<UInt8>, key: SigningKey, _ purpose: Purpose) -> [UInt8] {
        var code = HMAC<SHA256>(key: key.key)
        code.update(data: purpose.context)
        code.update(data: message)
        code.update(data: end)
        return base64URL(Array(code.finalize().prefix(16)))
    }

    /// Compares in constant time, whichever byte differs.
    private static func isEqual(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns base64url without padding.
    private static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(digits)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = (bits & 0x3F) << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 0x3F)]) }
        return text
    }
}
