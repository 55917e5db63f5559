import Crypto
import OperatorText

/// To what a phone commits itself before it says the random codes of a day: a hash of this text.
///
/// Nobody who overhears a code can have committed to it before, and nobody learns from the hash what will be said.
struct CodeCommitmentText: Sendable {
    /// As in records.
    var app: String
    /// Since 1970.
    var day: Int64
    /// In base64url, as it was given.
    var salt: String
    /// In the order in which the phone has them.
    var codes: [UInt64]

    /// Bytes of a salt.
    static let saltLengths = 16...64

    /// Lines, the last without an end.
    var text: String {
        "beacon-commitment/1\n\(app)\n\(DayText.text(day))\n\(salt)\n"
            + codes.map { String($0) }.joined(separator: ",")
    }

    /// SHA-256 in base64url.
    var hash: String { Base64URL.encode(SHA256.hash(data: Array(text.utf8))) }
}
