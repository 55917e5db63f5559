import Testing

@testable import MatcherDaemon

@Suite("Self-report in a cookie") struct SelfReportFormTests {
    private static let key: [UInt8] = Array("secret".utf8)

    private static let first = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let second = "BBBBBBBBBBBBBBBBBBBBBB"

    private func form() -> SelfReportForm {
        var form = SelfReportForm(.code("", reference: Self.first))
        form.version = "v"
        form.take(code: "1234 5678", fresh: Self.second)
        form.take(details: ["name": "J\u{F6}rg  M", "number": "s1", "onset": "2026-11-01", "contact": "a@b"])
        form.problem = .init(.code, 403, "Check it.")
        return form
    }

    @Test func `What was typed is opened as it was`() throws {
        let sealed = try #require(SelfReport.open(form()).sealed(key: Self.key, now: 100))
        #expect(SelfReport.opened(sealed, key: Self.key, now: 100) == .open(form()))
        #expect(form().name == "J\u{F6}rg M")
    }

    @Test func `A picture is opened with the reference of its draft, or without one`() throws {
        let references: [String?] = [nil, Self.first]
        for reference in references {
            let report = SelfReport.open(SelfReportForm(.picture(reference: reference)))
            let sealed = try #require(report.sealed(key: Self.key, now: 100))
            #expect(SelfReport.opened(sealed, key: Self.key, now: 100) == report)
        }
    }

    @Test(arguments: [SelfReportForm.Proof.Kind.code, .picture])
    func `That a report was sent is opened with its kind of proof alone`(kind: SelfReportForm.Proof.Kind) throws {
        let sealed = try #require(SelfReport.sent(kind).sealed(key: Self.key, now: 100))
        let opened = try #require(SelfReport.opened(sealed, key: Self.key, now: 100))
        #expect(opened == .sent(kind) && opened.form == nil)
    }

    @Test func `The same code keeps its reference, and another one is another report`() {
        var form = SelfReportForm(.code("1234 5678", reference: Self.first))
        form.take(code: " 1234  5678 ", fresh: Self.second)
        #expect(form.proof == .code("1234 5678", reference: Self.first))
        form.take(code: "1234 5679", fresh: Self.second)
        #expect(form.proof == .code("1234 5679", reference: Self.second))
    }

    @Test func `A code after a picture does not take the reference of its draft`() {
        var form = SelfReportForm(.picture(reference: Self.first))
        form.take(code: "1234 5678", fresh: Self.second)
        #expect(form.proof == .code("1234 5678", reference: Self.second) && !form.hasPicture)
    }

    @Test func `It is opened for an hour, with the right key, and if nothing was changed`() throws {
        let sealed = try #require(SelfReport.open(form()).sealed(key: Self.key, now: 100))
        #expect(SelfReport.opened(sealed, key: Self.key, now: 99 + SelfReport.lifetime) != nil)
        #expect(SelfReport.opened(sealed, key: Self.key, now: 100 + SelfReport.lifetime) == nil)
        #expect(SelfReport.opened(sealed, key: [1], now: 100) == nil)
        var changed = Array(sealed)
        changed[30] = changed[30] == "A" ? "B" : "A"
        #expect(SelfReport.opened(String(changed), key: Self.key, now: 100) == nil)
        for text in ["", "A", String(sealed.dropLast(4)), "=", String(repeating: "A", count: 100)] {
            #expect(SelfReport.opened(text, key: Self.key, now: 100) == nil)
        }
    }

    @Test func `The longest form fits into a cookie, and what is too long is not cut to what is allowed`() throws {
        var form = self.form()
        let long = String(repeating: "\u{1F9EA}", count: 1000)
        form.take(code: long, fresh: Self.second)
        form.take(details: [
            "test": long, "onset": long, "order": long, "name": long, "number": long, "contact": long,
        ])
        form.problem = .init(.picture, 422, long)
        let sealed = try #require(SelfReport.open(form).sealed(key: Self.key, now: 1_800_000_000))
        #expect("__Host-beacon-self-report=\(sealed)".utf8.count <= 4096)
        #expect(form.name.unicodeScalars.count == 201 && form.number.unicodeScalars.count == 65)
    }
}
