import Testing

@testable import MatcherCore

@Suite("E-mails as they are sent") struct MailMessageTests {
    /// 2026-11-02T08:00:00Z
    private let morning: Int64 = 1_793_606_400

    private func message(
        from: String = "Health office", to: String = "Ann", subject: String = "Notice", text: String = "Hello"
    ) throws -> [String] {
        let sender = try #require(MailAddress("health@campus.example"))
        let recipient = try #require(MailAddress("ann@campus.example"))
        let message = MailMessage(
            from: Mailbox(name: from, address: sender), to: Mailbox(name: to, address: recipient), subject: subject,
            text: text, identifier: "abc123", date: morning)
        return String(decoding: message.bytes, as: UTF8.self).lines
    }

    @Test("A message of ASCII is sent as it is") func plain() throws {
        #expect(
            try message(text: "Hello Ann,\n\nstay at home.") == [
                "Date: Mon, 2 Nov 2026 08:00:00 +0000", "From: \"Health office\"", " <health@campus.example>",
                "To: \"Ann\"", " <ann@campus.example>", "Subject: Notice", "Message-ID: <abc123@campus.example>",
                "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 7bit",
                "Auto-Submitted: auto-generated", "", "Hello Ann,", "", "stay at home.", "",
            ])
    }

    @Test("A text that is not ASCII is in quoted-printable, in short lines") func quotedPrintable() throws {
        let lines = try message(text: "Grüße = \n" + String(repeating: "é", count: 60))
        #expect(lines.contains("Content-Transfer-Encoding: quoted-printable"))
        #expect(lines.contains("Gr=C3=BC=C3=9Fe =3D=20"))
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 0x7F } })
    }

    @Test("A name that is not ASCII is in encoded words, none of which parts a character") func encodedWords() throws {
        let name = "Jürgen Groß " + String(repeating: "漢", count: 30)
        let lines = try message(to: name)
        let start = try #require(lines.firstIndex { $0.hasPrefix("To: ") })
        let end = try #require(lines.firstIndex(of: " <ann@campus.example>"))
        let words = lines[start..<end].map { $0.replacing("To: ", with: "").replacing(" ", with: "") }
        #expect(words.count > 1 && words[0].hasPrefix("=?utf-8?Q?J=C3=BCrgen_Gro=C3=9F_"))
        var decoded = ""
        for word in words {
            #expect(word.utf8.count <= 75 && word.hasPrefix("=?utf-8?Q?") && word.hasSuffix("?="))
            decoded += try #require(Self.decoded(word))
        }
        #expect(decoded == name)
    }

    /// Returns the text of an encoded word; `nil` if it is not a text in UTF-8.
    private static func decoded(_ word: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8.dropFirst(10).dropLast(2))[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "=") {
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    @Test(
        "No name and no subject adds a header field",
        arguments: [
            "x\r\nBcc: evil@evil.example", "x\nBcc: evil@evil.example", "x\r\n\r\nbody", "x\u{2028}Bcc: y", "\"x\\",
            "=?utf-8?Q?=0D=0ABcc:_y?=", "x\u{0}", "\u{85}Bcc: y", String(repeating: "long ", count: 200),
            "a, b <c@d.example>",
        ])
    func injection(text: String) throws {
        for lines in [try message(from: text), try message(to: text), try message(subject: text)] {
            let header = lines.prefix { !$0.isEmpty }
            let names = header.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
            #expect(
                names == [
                    "Date", "From", "To", "Subject", "Message-ID", "MIME-Version", "Content-Type",
                    "Content-Transfer-Encoding", "Auto-Submitted",
                ])
            #expect(header.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
            #expect(Array(lines.dropFirst(header.count)) == ["", "Hello", ""])
        }
    }

    @Test(
        "Dates are in English and UTC",
        arguments: [
            (Int64(0), "Thu, 1 Jan 1970 00:00:00 +0000"), (1_793_606_399, "Mon, 2 Nov 2026 07:59:59 +0000"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"), (-5, "Thu, 1 Jan 1970 00:00:00 +0000"),
        ])
    func dates(_ seconds: Int64, _ text: String) { #expect(MailMessage.date(seconds) == text) }
}

extension String {
    /// Lines that end with CR and LF.
    fileprivate var lines: [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var isAfterReturn = false
        for byte in utf8 {
            if isAfterReturn, byte == UInt8(ascii: "\n") {
                lines.append(String(decoding: line.dropLast(), as: UTF8.self))
                line = []
            } else {
                line.append(byte)
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
        }
        return lines + [String(decoding: line, as: UTF8.self)]
    }
}
