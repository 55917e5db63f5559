import Crypto

/// The last member of a signed message: `"tag":"` and 22 characters, base64url of the first half of HMAC-SHA256 over the exact
/// bytes of the message without it.
///
/// Nothing is parsed or put into another order before it is checked: what was signed is what is read then. So the member
/// counts at that place and in that form alone.
package enum MessageTag {
    /// What a tag was made for: that of one kind isn't one of another.
    package enum Purpose: Equatable, Sendable {
        case record
        case health
        /// - Parameter topic: on which the command goes, with its name.
        case command(topic: String)

        fileprivate var context: [UInt8] {
            switch self {
            case .record: Array("beacon-record/1\n".utf8)
            case .health: Array("beacon-health/1\n".utf8)
            case .command(let topic): Array("beacon-command/1\n\(topic)\n".utf8)
            }
        }
    }

    /// What is known of a message.
    package enum Verdict: Equatable, Sendable {
        case genuine
        /// It has no tag at its end.
        case untagged
        /// It has one that none of the keys made.
        case forged
    }

    /// By how many bytes a message becomes longer.
    package static let cost = opening.count + digits + closing.count - 1
    private static let digits = 22
    private static let opening = Array(",\"tag\":\"".utf8)
    private static let closing = Array("\"}".utf8)
    private static let end = [UInt8(ascii: "}")]

    /// - Parameter message: a JSON object with at least one member, without space at its end; anything else is given back as it is.
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

    /// - Parameter keys: any of which may have made it.
    package static func verdict(
        on message: [UInt8], keys: some Sequence<SigningKey>, for purpose: Purpose
    ) -> Verdict {
        let tail = opening.count + digits + closing.count
        // The object has another member before.
        guard message.count > tail + 1 else { return .untagged }
        let start = message.count - tail
        let tag = message[(start + opening.count)..<(message.count - closing.count)]
        guard message[start...].starts(with: opening), message.suffix(closing.count).elementsEqual(closing),
            tag.allSatisfy(isDigit)
        else { return .untagged }
        for key in keys where isEqual(Self.tag(of: message[..<start], key: key, purpose), tag) { return .genuine }
        return .forged
    }

    /// - Parameter message: without its last brace.
    private static func tag(of message: ArraySlice<UInt8>, key: SigningKey, _ purpose: Purpose) -> [UInt8] {
        var code = HMAC<SHA256>(key: key.key)
        code.update(data: purpose.context)
        code.update(data: message)
        code.update(data: end)
        return base64URL(Array(code.finalize().prefix(16)))
    }

    /// Takes as long whichever byte differs.
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

    /// Without padding.
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
