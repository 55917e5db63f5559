import Testing

@testable import Pages

@Suite("Fields of forms and queries") struct FormFieldsTests {
    @Test("Fields are decoded: plus and %20 are spaces, and a field can be empty") func decoding() {
        #expect(
            FormFields.parse("name=Ann+B%20C&empty=&alone&sum=1%2B1%3D2")
                == ["name": "Ann B C", "empty": "", "alone": "", "sum": "1+1=2"])
        #expect(FormFields.parse("")?.isEmpty == true)
    }

    @Test("What is encoded is decoded again", arguments: ["", "a b+c", "ä/ö?&=%", "100 %", "-._~", "\r\n"])
    func encoding(text: String) {
        #expect(FormFields.parse("field=" + FormFields.encode(text)) == ["field": text])
    }

    @Test(
        "A damaged text, a NUL, and a field that is there twice are refused",
        arguments: ["a=%", "a=%2", "a=%2x", "a=%FF", "a=%00", "%00=a", "a=1&a=2", "a=1&%61=2"])
    func damaged(text: String) {
        #expect(FormFields.parse(text) == nil)
    }

    @Test("More fields than a form may have are refused, and no fewer") func tooMany() {
        func fields(_ count: Int) -> String { (0..<count).map { "f\($0)=" }.joined(separator: "&") }
        #expect(FormFields.parse(fields(200))?.count == 200)
        #expect(FormFields.parse(fields(201)) == nil)
        #expect(FormFields.parse(fields(201), upTo: FormFields.mostOfTable)?.count == 201)
    }
}
