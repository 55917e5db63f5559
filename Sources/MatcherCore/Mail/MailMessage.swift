import OperatorText

/// E-mail with plain text in UTF-8 (RFC 5322), for one mailbox. Pure.
package struct MailMessage: Equatable, Sendable {
    package var from: Mailbox
    package var to: Mailbox
    package var subject: String
    /// Lines with line feeds between them.
    package var text: String
    /// Identifier of the message, of letters, digits and full stops. An e-mail that is sent again has the same, so that
    /// a mail server can recognize it.
    package var identifier: String
    /// Seconds since 1970.
    package var date: Int64

    package init(from: Mailbox, to: Mailbox, subject: String, text: String, identifier: String, date: Int64) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.identifier = identifier
        self.date = date
    }

    /// Maximum length of a line without its end, as RFC 5322 recommends it.
    private static let longestLine = 78

    /// The message as it is sent.
    ///
    /// A text that is not ASCII in short lines is in quoted-printable. 8bit would need a server, and each server behind
    /// it, with the extension 8BITMIME (RFC 6152).
    package var bytes: [UInt8] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isPlain = lines.allSatisfy { line in
            line.utf8.count <= Self.longestLine && line.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                && line.utf8.last != UInt8(ascii: " ")
        }
        let body = isPlain ? lines.map { "\($0)\r\n" }.joined(separator: "") : QuotedPrintable.encode(text)
        let fields = [
            ("Date", Self.date(date)), ("From", from.field), ("To", to.field), ("Subject", MailHeader.text(subject)),
            ("Message-ID", "<\(localIdentifier)@\(from.address.domain)>"),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", isPlain ? "7bit" : "quoted-printable"),
            // Holiday notices and the like are not sent in answer (RFC 3834).
            ("Auto-Submitted", "auto-generated"),
        ]
        let header = fields.map { "\($0): \($1)\r\n" }.joined(separator: "")
        return Array("\(header)\r\n\(body)".utf8)
    }

    private var localIdentifier: String {
        identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
    }

    /// Returns a time in UTC: `Mon, 2 Nov 2026 08:00:00 +0000`.
    static func date(_ seconds: Int64) -> String {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // 2026-11-02T08:00:00Z
        let text = InstantText.utc(max(0, seconds))
        let numbers = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, months.indices.contains(numbers[1] - 1) else { return text }
        let weekday = weekdays[Int(max(0, seconds) / 86_400 % 7)]
        let time = text.dropFirst(11).prefix(8)
        return "\(weekday), \(numbers[2]) \(months[numbers[1] - 1]) \(numbers[0]) \(time) +0000"
    }
}
