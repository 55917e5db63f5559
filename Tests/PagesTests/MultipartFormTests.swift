import Testing

@testable import Pages

@Suite("Forms with files") struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=b"

    /// A part with CR LF at the ends of its lines.
    private func part(_ disposition: String, _ content: String, boundary: String = "b") -> String {
        "--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n"
    }

    private func parse(_ text: String, _ type: String = type) -> MultipartForm? {
        MultipartForm.parse(Array(text.utf8), contentType: type)
    }

    @Test("Fields and files are taken as they are sent") func whole() throws {
        let form = try #require(
            parse(
                part("name=\"token\"", "t") + part("name=\"empty\"", "")
                    + "--b\r\ncontent-disposition:form-data;name=roster; filename=\"a b.csv\"\r\n"
                    + "Content-Type: text/csv\r\n\r\nx\r\n--\r\ny\n\r\n--b--\r\n"))
        #expect(form.fields == ["token": "t", "empty": ""])
        #expect(form.files == ["roster": .init(name: "a b.csv", bytes: Array("x\r\n--\r\ny\n".utf8))])
    }

    @Test("A file can have any bytes") func bytes() throws {
        let bytes = (0...255).map { UInt8($0) } + [13, 13, 10, 13]
        let body =
            Array("--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n".utf8) + bytes
            + Array("\r\n--b--".utf8)
        #expect(MultipartForm.parse(body, contentType: Self.type)?.files["f"]?.bytes == bytes)
    }

    @Test("A field for which no file was chosen is not a file, and a file without contents is one") func empty() throws
    {
        let form = try #require(
            parse(part("name=\"f\"; filename=\"\"", "") + part("name=\"g\"; filename=\"g.csv\"", "") + "--b--"))
        #expect(form.files == ["g": .init(name: "g.csv", bytes: [])])
        #expect(form.fileFields == ["f", "g"])
    }

    @Test(
        "The name of a file has no folders and no line ends",
        arguments: [
            ("C:\\Users\\x\\r.csv", "r.csv"), ("../../etc/passwd", "passwd"), ("a%22b.csv", "a\"b.csv"),
            ("a\\\"b.csv", "a\"b.csv"), ("/", "file"), ("a%0D%0Ab", "a b"), ("..", ".."), ("\u{202E}a", "?a"),
            ("a/\u{308}b", "\u{308}b"),
            (String(repeating: "x", count: 200), String(repeating: "x", count: 100) + "..."),
        ])
    func names(_ sent: String, _ shown: String) {
        #expect(parse(part("name=\"f\"; filename=\"\(sent)\"", "x") + "--b--")?.files["f"]?.name == shown)
    }

    @Test("A form that is cut off anywhere is damaged") func cut() {
        let whole = part("name=\"a\"", "1") + part("name=\"f\"; filename=\"f\"", "x") + "--b--"
        #expect(parse(whole) != nil)
        for length in 0..<whole.utf8.count {
            let part = Array(whole.utf8.prefix(length))
            #expect(MultipartForm.parse(part, contentType: Self.type) == nil, "\(length)")
        }
    }

    @Test(
        "Without a right boundary nothing is read",
        arguments: [
            "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"b",
            "multipart/form-data; boundary=c", "multipart/form-data; boundary=b; boundary=b",
            "multipart/form-data; charset=utf-8", "multipart/mixed; boundary=b", "text/plain; boundary=b", "",
            "multipart/form-data; boundary=\"b \"", "multipart/form-data; boundary=\u{E4}",
            "multipart/form-data; boundary=" + String(repeating: "b", count: 71),
        ])
    func boundary(_ type: String) {
        #expect(parse(part("name=\"a\"", "1") + "--b--", type) == nil)
    }

    @Test("The boundary can be in quotes, with other parameters, and as long as is allowed") func quoted() {
        #expect(parse(part("name=\"a\"", "1") + "--b--", "Multipart/Form-Data; charset=utf-8; Boundary=\"b\"") != nil)
        let long = String(repeating: "b", count: 70)
        let text = part("name=\"a\"", "1", boundary: long) + "--\(long)--"
        #expect(parse(text, "multipart/form-data; boundary=\(long)")?.fields == ["a": "1"])
    }

    @Test(
        "What browsers do not send is refused",
        arguments: [
            // Another line end, text before and after, and a longer boundary.
            "--b\nContent-Disposition: form-data; name=\"a\"\n\n1\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\n\r\n1\r\n--b--",
            "preamble\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\nmore",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--bc\r\n\r\n--b--",
            // No header, no name, a name with a space, two headers, another disposition.
            "--b\r\n\r\n1\r\n--b--", "--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a b\"\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1"
                + "\r\n--b--",
            "--b\r\nno colon\r\n\r\n1\r\n--b--",
            // Parts within a part, and an encoding.
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
                + "--c\r\n\r\n1\r\n--c--\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ=="
                + "\r\n--b--",
        ])
    func unusual(_ text: String) { #expect(parse(text) == nil) }

    @Test("A field that is there twice is refused") func twice() {
        #expect(parse(part("name=\"a\"", "1") + part("name=\"a\"", "2") + "--b--") == nil)
        let file = part("name=\"a\"; filename=\"x\"", "1")
        #expect(parse(file + file + "--b--") == nil)
        #expect(parse(file + part("name=\"a\"", "1") + "--b--") == nil)
    }

    @Test("A field with a NUL is refused, a file is not") func nul() {
        #expect(parse(part("name=\"a\"", "x\0y") + "--b--") == nil)
        #expect(parse(part("name=\"a\"; filename=\"f\"", "x\0y") + "--b--")?.files["a"]?.bytes == [120, 0, 121])
    }

    @Test("Parts, headers and values are limited") func limits() {
        func parts(_ count: Int) -> String {
            (0..<count).map { part("name=\"a\($0)\"", "1") }.joined() + "--b--"
        }
        #expect(parse(parts(MultipartForm.mostParts))?.fields.count == MultipartForm.mostParts)
        #expect(parse(parts(MultipartForm.mostParts + 1)) == nil)
        let disposition = "Content-Disposition: form-data; name=\"a\""
        func header(_ lines: [String]) -> String {
            "--b\r\n" + ([disposition] + lines).joined(separator: "\r\n") + "\r\n\r\n1\r\n--b--"
        }
        #expect(parse(header(Array(repeating: "X: y", count: 7))) != nil)
        #expect(parse(header(Array(repeating: "X: y", count: 8))) == nil)
        #expect(parse(header(["X: " + String(repeating: "y", count: 1021)])) != nil)
        #expect(parse(header(["X: " + String(repeating: "y", count: 1022)])) == nil)
        let value = String(repeating: "v", count: MultipartForm.longestValue)
        #expect(parse(part("name=\"a\"", value) + "--b--")?.fields["a"] == value)
        #expect(parse(part("name=\"a\"", value + "v") + "--b--") == nil)
    }

    @Test("A value that is not UTF-8 is refused, a file is not") func encoding() {
        let head = "--b\r\nContent-Disposition: form-data; name=\"a\""
        let tail: [UInt8] = [0xE9] + Array("\r\n--b--".utf8)
        #expect(MultipartForm.parse(Array("\(head)\r\n\r\n".utf8) + tail, contentType: Self.type) == nil)
        let file = Array("\(head); filename=\"x\"\r\n\r\n".utf8) + tail
        #expect(MultipartForm.parse(file, contentType: Self.type)?.files["a"]?.bytes == [0xE9])
    }
}
