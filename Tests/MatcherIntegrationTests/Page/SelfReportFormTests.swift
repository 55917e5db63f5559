import Testing

@testable import MatcherDaemon

@Suite("Self-report in a cookie") struct SelfReportFormTests {
    private static let key: [UInt8] = Array("secret".utf8)

    private func form() -> SelfReportForm {
        var form = SelfReportForm()
        (form.proof, form.reference, form.version) = (.code, "AAAAAAAAAAAAAAAAAAAAAA", "v")
        form.take(code: "1234 5678")
        form.take(details: ["name": "J\u{F6}rg  M", "number": "s1", "onset": "2026-11-01", "contact": "a@b"])
        form.problem = .init(.code, 403, "Check it.")
        return form
    }

    @Test func `What was typed is opened as it was`() throws {
        let sealed = try #require(form().sealed(key: Self.key, now: 100))
        #expect(SelfReportForm.opened(sealed, key: Self.key, now: 100) == form())
        #expect(form().name == "J\u{F6}rg M")
    }

    @Test func `It is opened for an hour, with the right key, and if nothing was changed`() throws {
        let sealed = try #require(form().sealed(key: Self.key, now: 100))
        #expect(SelfReportForm.opened(sealed, key: Self.key, now: 99 + SelfReportForm.lifetime) != nil)
        #expect(SelfReportForm.opened(sealed, key: Self.key, now: 100 + SelfReportForm.lifetime) == nil)
        #expect(SelfReportForm.opened(sealed, key: [1], now: 100) == nil)
        var changed = Array(sealed)
        changed[30] = changed[30] == "A" ? "B" : "A"
        #expect(SelfReportForm.opened(String(changed), key: Self.key, now: 100) == nil)
        for text in ["", "A", String(sealed.dropLast(4)), "=", String(repeating: "A", count: 100)] {
            #expect(SelfReportForm.opened(text, key: Self.key, now: 100) == nil)
        }
    }

    @Test func `The longest form fits into a cookie, and what is too long is not cut to what is allowed`() throws {
        var form = self.form()
        let long = String(repeating: "\u{1F9EA}", count: 1000)
        form.take(code: long)
        form.take(details: [
            "test": long, "onset": long, "order": long, "name": long, "number": long, "contact": long,
        ])
        form.problem = .init(.picture, 422, long)
        let sealed = try #require(form.sealed(key: Self.key, now: 1_800_000_000))
        #expect("__Host-beacon-self-report=\(sealed)".utf8.count <= 4096)
        #expect(form.name.unicodeScalars.count == 201 && form.number.unicodeScalars.count == 65)
    }
}
