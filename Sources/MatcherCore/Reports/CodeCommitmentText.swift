import Crypto
import OperatorText

/// Text whose hash commits a phone to the random codes of a day before it transmits them.
///
/// An eavesdropper cannot have committed to a code before, and the hash does not reveal the codes.
package struct CodeCommitmentText: Sendable {
    /// Name of the app, as in records.
    package var app: String
    /// Days since 1970.
    package var day: Int64
    /// Salt in base64url, as it was given.
    package var salt: String
    /// Codes in the phone's order.
    package var codes: [UInt64]

    /// Allowed lengths of a salt, in bytes.
    static let saltLengths = 16...64

    /// Text in lines, the last without an end.
    package var text: String {
        "beacon-commitment/1\n\(app)\n\(DayText.text(day))\n\(salt)\n"
            + codes.map { String($0) }.joined(separator: ",")
    }

    /// SHA-256 of the text in base64url.
    package var hash: String { Base64URL.encode(SHA256.hash(data: Array(text.utf8))) }
}
