import ResultPictures
import Testing

@Suite("Codes in pictures") struct PictureCodeTests {
    @Test(
        "The kind of a code is told",
        arguments: [
            ("https://lab.example/r/AB12", PictureCode.Kind.address), ("HTTP://LAB.EXAMPLE/R/AB12", .address),
            ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", .token), ("HC1:6BFOXN", .healthCertificate),
            ("LC1VLNBF6K", .orderNumber), ("12-34567", .orderNumber), ("hello world", .text), ("", .text),
            ("javascript:alert(1)", .text), ("https://a b", .text), ("ey.a.b", .text), ("1.2.3", .text),
        ])
    func kinds(contents: String, kind: PictureCode.Kind) {
        let code = PictureCode(contents)
        #expect(code.kind == kind)
        #expect(code.orderNumber?.text == (kind == .orderNumber ? contents : nil))
    }

    @Test("Control characters and long contents are not shown") func shown() {
        #expect(PictureCode("a\u{1B}[31m\u{202E}b").text == "a?[31m?b")
        #expect(PictureCode(String(repeating: "x", count: 1000)).text.count == 203)
    }

    @Test("The output of zbarimg is read in bounds") func output() {
        #expect(PictureCode.codes(Array("AB12345\nhello\n".utf8)).map(\.kind) == [.orderNumber, .text])
        #expect(PictureCode.codes([]) == [])
        #expect(PictureCode.codes(Array(String(repeating: "a\n", count: 100).utf8)).count == 8)
        #expect(PictureCode.codes(Array(repeating: 0x41, count: 5000)) == [])
        #expect(PictureCode.codes([0xFF, 0xFE]).count == 1)
    }
}
